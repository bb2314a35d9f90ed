import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { kickstarters } from '@kustos/contract/bitbucket'
import { trialDayTemplate } from '../bitbucket/catalogue.ts'
import { seedNodes } from '../seed/places.ts'
import { fillContent } from './content.ts'
import { dumpEnd, dumpStart, dumpTables } from './dump-text.ts'
import { isProvisioned } from './provisioned.ts'
import { originsFile, replaceFile, writeRecipes } from './recipes-file.ts'

export interface NodesSettings {
  /** Where the nodes' folders and the recipes lie from one start to the next. */
  readonly folder: string
  /** Clone URLs by the ASCII name of the web; a web that is not in here gets a small repository of its own. */
  readonly origins?: Readonly<Record<string, string>>
  /** Repositories that have a kick dump on every node from the start, beside the templates of new webs. */
  readonly kickDumps?: readonly string[]
}

export interface SandboxNodes {
  /** For LOCAL_NODES_DIR. */
  readonly nodesFolder: string
  /** For RECIPES_FILE. */
  readonly recipesFile: string
}

/** Where the nodes lie, each in a folder of its name. */
export const nodesFolderIn = (folder: string): string => join(folder, 'nodes')

/** Prepares a folder for each node of the seed. What is there from an earlier start stays. */
export async function prepareNodes(settings: NodesSettings): Promise<SandboxNodes> {
  const { folder, origins = {}, kickDumps = [] } = settings
  const nodesFolder = nodesFolderIn(folder)
  for (const { name } of seedNodes)
    for (const part of ['webs', 'exports', 'kick', 'backups'])
      await mkdir(join(nodesFolder, name, part), { recursive: true })
  await replaceFile(join(nodesFolder, originsFile), `${JSON.stringify(origins)}\n`)
  for (const repository of [...kickstarters, trialDayTemplate, ...kickDumps])
    await makeKickDump(nodesFolder, repository)
  return { nodesFolder, recipesFile: await writeRecipes(folder) }
}

/** Where a web is that was provisioned since the sandbox began; undefined for one that was not. */
export const addressOfProvisioned = (nodesFolder: string, host: string): string | undefined =>
  seedNodes.find(({ name }) => isProvisioned(join(nodesFolder, name), host))?.ip

/** What new webs that are forked of this repository start from. */
async function makeKickDump(nodesFolder: string, repository: string): Promise<void> {
  const missing = seedNodes
    .map(({ name }) => join(nodesFolder, name, 'kick', `${repository}.sql`))
    .filter((path) => !existsSync(path))
  if (missing.length === 0) return
  const database = new DatabaseSync(':memory:')
  fillContent(database, repository)
  const tables = [...dumpTables(database)].map(({ sql }) => sql)
  database.close()
  for (const path of missing) await replaceFile(path, dumpStart + tables.join('') + dumpEnd)
}
