import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { replaceFile } from '../files.ts'

/** In the folder of all nodes: the clone URL of each web of the inventory. */
export const originsFile = 'origins.json'

const source = fileURLToPath(new URL('../../recipes.json', import.meta.url))
const toolNames = ['build', 'dump', 'find-dump', 'load', 'prepare', 'provision']

/**
 * Writes the recipes for this machine: `tool:dump` becomes the path of a program that runs the tool.
 * @param folder gets `recipes.json`, and the programs in `bin`
 * @returns the path of the recipes
 */
export async function writeRecipes(folder: string): Promise<string> {
  const programs = join(folder, 'bin')
  await mkdir(programs, { recursive: true })
  for (const name of toolNames) {
    const tool = fileURLToPath(new URL(`./tools/${name}.ts`, import.meta.url))
    await replaceFile(join(programs, name), formatScript(tool), 0o755)
  }
  const recipes: unknown = JSON.parse(await readFile(source, 'utf8'), (key, value: unknown) =>
    key === 'argv' && Array.isArray(value) ? resolveTool(value.map(String), programs) : value,
  )
  const path = join(folder, 'recipes.json')
  await replaceFile(path, `${JSON.stringify(recipes, null, 2)}\n`)
  return path
}

/**
 * Writes the programs that a Plesk node has.
 * @returns their folder, which belongs into the PATH of what runs the nodes' commands
 */
export async function writeNodePrograms(folder: string): Promise<string> {
  const programs = join(folder, 'node-bin')
  await mkdir(programs, { recursive: true })
  const tool = fileURLToPath(new URL('./tools/plesk.ts', import.meta.url))
  await replaceFile(join(programs, 'plesk'), formatScript(tool), 0o755)
  return programs
}

function resolveTool([command = '', ...rest]: readonly string[], programs: string): string[] {
  if (!command.startsWith('tool:')) return [command, ...rest]
  const name = command.slice('tool:'.length)
  if (!toolNames.includes(name)) throw new Error(`${command} is not a tool of the sandbox's nodes`)
  return [join(programs, name), ...rest]
}

/** A short command keeps Node's options out of the deployment's log. */
const formatScript = (tool: string) =>
  // node:sqlite is experimental.
  `#!/bin/sh\nexec ${quote(process.execPath)} --disable-warning=ExperimentalWarning ${quote(tool)} "$@"\n`

const quote = (path: string) => `'${path.replaceAll("'", String.raw`'\''`)}'`
