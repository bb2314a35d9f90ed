import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeRecipes } from '../../src/nodes/recipes-file.ts'

/**
 * Runs a command between two lines of the journal. It holds a lock while it runs, so that a concurrent second run of the
 * same step is noticed.
 */
const script = `#!/bin/sh
journal=$1
name=$2
shift 2
exec 9>>"$journal.$name"
flock -n 9 || echo "$name concurrently" >> "$journal"
echo "$name starts" >> "$journal"
"$@" 9>&-
code=$?
echo "$name ends $code" >> "$journal"
exit $code
`

export interface Journal {
  /** For RECIPES_FILE: the sandbox's recipes with commands that write to the journal. */
  readonly recipesFile: string
  /** Steps that ran again after they had succeeded, or that ran concurrently with themselves. */
  findDuplicates(): Promise<readonly string[]>
  countSucceeded(): Promise<number>
  /** Commands that were started more than once. */
  countRepeated(): Promise<number>
}

/** @param command replaces those of the recipes, on a node without the sandbox's programs */
export async function openJournal(folder: string, command?: readonly string[]): Promise<Journal> {
  await mkdir(folder, { recursive: true })
  const program = join(folder, 'journaled')
  const file = join(folder, 'journal')
  await Promise.all([writeFile(program, script, { mode: 0o755 }), writeFile(file, '')])
  const recipes = JSON.parse(await readFile(await writeRecipes(folder), 'utf8')) as Record<string, unknown>
  for (const steps of Object.values(recipes)) {
    if (!Array.isArray(steps)) continue
    for (const [index, step] of (steps as { argv?: string[] }[]).entries())
      if (step.argv) step.argv = [program, file, `{deployment}-${index}`, ...(command ?? step.argv)]
  }
  const recipesFile = join(folder, 'recipes.json')
  await writeFile(recipesFile, JSON.stringify(recipes))
  const lines = async () => (await readFile(file, 'utf8')).split('\n').filter(Boolean)
  return {
    recipesFile,
    async findDuplicates() {
      const succeeded = new Set<string>()
      return (await lines()).filter((line) => {
        const [name = '', what, code] = line.split(' ')
        if (what === 'concurrently') return true
        if (what === 'starts') return succeeded.has(name)
        if (code === '0') succeeded.add(name)
        return false
      })
    },
    async countRepeated() {
      const starts = (await lines()).filter((line) => line.endsWith(' starts'))
      return [...Map.groupBy(starts, (line) => line).values()].filter(({ length }) => length > 1).length
    },
    countSucceeded: async () => (await lines()).filter((line) => line.endsWith(' ends 0')).length,
  }
}
