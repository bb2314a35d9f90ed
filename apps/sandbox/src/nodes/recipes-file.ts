import { readFile, rename, writeFile } from 'node:fs/promises'
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
 * @param path where to write them
 */
export async function writeRecipes(path: string): Promise<void> {
  const recipes: unknown = JSON.parse(await readFile(source, 'utf8'), (key, value: unknown) =>
    key === 'argv' && Array.isArray(value) ? withTool(value.map(String)) : value,
  )
  await replaceFile(path, `${JSON.stringify(recipes, null, 2)}\n`)
}

function withTool([command = '', ...rest]: readonly string[]): string[] {
  if (!command.startsWith('tool:')) return [command, ...rest]
  const tool = tools[command.slice('tool:'.length)]
  if (tool === undefined) throw new Error(`${command} is no tool of the sandbox's nodes`)
  // Of node:sqlite, which it calls experimental.
  const quiet = '--disable-warning=ExperimentalWarning'
  return [process.execPath, quiet, fileURLToPath(tool), ...rest]
}

/** Whoever reads it sees the old one or the new one, and nothing between. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text)
  await rename(`${path}.new`, path)
}
