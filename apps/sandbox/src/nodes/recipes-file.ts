import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Beside the nodes' folders: which repository each web of the inventory is cloned from. */
export const originsFile = 'origins.json'

const source = fileURLToPath(new URL('../../recipes.json', import.meta.url))

/** What recipes call `tool:` and the name. */
const tools: Readonly<Record<string, URL>> = {
  build: new URL('./tools/build.ts', import.meta.url),
  dump: new URL('./tools/dump.ts', import.meta.url),
  'find-dump': new URL('./tools/find-dump.ts', import.meta.url),
  load: new URL('./tools/load.ts', import.meta.url),
  prepare: new URL('./tools/prepare.ts', import.meta.url),
  provision: new URL('./tools/provision.ts', import.meta.url),
}

/**
 * Writes the recipes for this machine: where they say `tool:dump`, the Node that runs us runs the tool of this name.
 * @param folder where to write them, as `recipes.json`, and the tools as programs, in `bin`
 * @returns the path of the recipes
 */
export async function writeRecipes(folder: string): Promise<string> {
  const programs = join(folder, 'bin')
  await mkdir(programs, { recursive: true })
  for (const [name, tool] of Object.entries(tools)) {
    const program = join(programs, name)
    await replaceFile(program, script(fileURLToPath(tool)), 0o755)
  }
  const recipes: unknown = JSON.parse(await readFile(source, 'utf8'), (key, value: unknown) =>
    key === 'argv' && Array.isArray(value) ? withTool(value.map(String), programs) : value,
  )
  const path = join(folder, 'recipes.json')
  await replaceFile(path, `${JSON.stringify(recipes, null, 2)}\n`)
  return path
}

function withTool([command = '', ...rest]: readonly string[], programs: string): string[] {
  if (!command.startsWith('tool:')) return [command, ...rest]
  const name = command.slice('tool:'.length)
  if (tools[name] === undefined) throw new Error(`${command} is no tool of the sandbox's nodes`)
  return [join(programs, name), ...rest]
}

/** A program of one line, so that the log shows what is done and not how Node is called. */
const script = (tool: string) =>
  // Of node:sqlite, which it calls experimental.
  `#!/bin/sh\nexec ${quoted(process.execPath)} --disable-warning=ExperimentalWarning ${quoted(tool)} "$@"\n`

const quoted = (path: string) => `'${path.replaceAll("'", String.raw`'\''`)}'`

/** Whoever reads it sees the old one or the new one, and nothing between. */
export async function replaceFile(path: string, text: string, mode = 0o644): Promise<void> {
  await writeFile(`${path}.new`, text, { mode })
  await rename(`${path}.new`, path)
}
