import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeRecipes } from '../../src/nodes/recipes-file.ts'

/**
 * Runs a command between two lines of the journal. The process that runs it holds the lock, which ends with that process: a
 * second run of the same step beside the first one finds it taken.
 */
const script = `#!/bin/sh
journal=$1
name=$2
shift 2
exec 9>>"$journal.$name"
flock -n 9 || echo "$name beside another" >> "$journal"
echo "$name begins" >> "$journal"
"$@" 9>&-
code=$?
echo "$name ends $code" >> "$journal"
exit $code
`

export interface Journal {
  /** For RECIPES_FILE: the sandbox's recipes, each of whose commands is written down as it begins and ends. */
  readonly recipesFile: string
  /** Steps that were run again after they had come to a good end, and those that ran beside themselves. */
  doubled(): Promise<readonly string[]>
  /** Commands that have come to a good end. */
  ended(): Promise<number>
}

export async function openJournal(folder: string): Promise<Journal> {
  await mkdir(folder, { recursive: true })
  const program = join(folder, 'journaled')
  const file = join(folder, 'journal')
  await Promise.all([writeFile(program, script, { mode: 0o755 }), writeFile(file, '')])
  const recipes = JSON.parse(await readFile(await writeRecipes(folder), 'utf8')) as Record<string, unknown>
  for (const steps of Object.values(recipes)) {
    if (!Array.isArray(steps)) continue
    for (const [index, step] of (steps as { argv?: string[] }[]).entries())
      if (step.argv) step.argv = [program, file, `{deployment}-${index}`, ...step.argv]
  }
  const recipesFile = join(folder, 'recipes.json')
  await writeFile(recipesFile, JSON.stringify(recipes))
  const lines = async () => (await readFile(file, 'utf8')).split('\n').filter(Boolean)
  return {
    recipesFile,
    async doubled() {
      const over = new Set<string>()
      return (await lines()).filter((line) => {
        const [name = '', what, code] = line.split(' ')
        if (what === 'beside') return true
        if (what === 'begins') return over.has(name)
        if (code === '0') over.add(name)
        return false
      })
    },
    ended: async () => (await lines()).filter((line) => line.endsWith(' ends 0')).length,
  }
}
