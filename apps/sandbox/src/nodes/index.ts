import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { kickstarters } from '@kustos/contract/bitbucket'
import { trialDayTemplate } from '../bitbucket/catalogue.ts'
import { replaceFile } from '../files.ts'
import { seedNodes } from '../seed/nodes-and-categories.ts'
import { fillContent } from './content.ts'
import { isProvisioned } from './provisioned-webs.ts'
import { originsFile, writeNodePrograms, writeRecipes } from './recipes-file.ts'
import { dumpEnd, dumpStart, dumpTables } from './sql-dump.ts'

export interface NodesSettings {
  /** Stores the nodes' folders and the recipes. */
  readonly folder: string
  /** Clone URLs by the ASCII names of webs; other webs get a small repository of their own. */
  readonly origins?: Readonly<Record<string, string>>
  /** Repositories besides the templates that every node has a kick dump of. */
  readonly kickDumps?: readonly string[]
}

export type SandboxNodes = Awaited<ReturnType<typeof prepareNodes>>

export const nodesFolderIn = (folder: string): string => join(folder, 'nodes')

/** Creates a folder for each seeded node and keeps what exists. */
export async function prepareNodes(settings: NodesSettings) {
  const { folder, origins = {}, kickDumps = [] } = settings
  const nodesFolder = nodesFolderIn(folder)
  for (const { name } of seedNodes)
    for (const part of ['webs', 'exports', 'kick', 'backups'])
      await mkdir(join(nodesFolder, name, part), { recursive: true, mode: 0o700 })
  await replaceFile(join(nodesFolder, originsFile), `${JSON.stringify(origins)}\n`)
  for (const repository of [...kickstarters, trialDayTemplate, ...kickDumps])
    await createKickDump(nodesFolder, repository)
  return {
    nodesFolder,
    recipesFile: await writeRecipes(folder),
    programs: await writeNodePrograms(folder),
  }
}

/** The address of a web that was provisioned in the sandbox; undefined for all others. */
export const addressOfProvisioned = (nodesFolder: string, host: string): string | undefined =>
  seedNodes.find(({ name }) => isProvisioned(join(nodesFolder, name), host))?.address

/** The initial database of webs that are forked from this repository. */
async function createKickDump(nodesFolder: string, repository: string): Promise<void> {
  const missing = seedNodes
    .map(({ name }) => join(nodesFolder, name, 'kick', `${repository}.sql`))
    .filter((path) => !existsSync(path))
  if (missing.length === 0) return
  const database = new DatabaseSync(':memory:')
  fillContent(database, repository)
  const tables = [...dumpTables(database)].map(({ sql }) => sql)
  database.close()
  for (const path of missing) await replaceFile(path, dumpStart + tables.join('') + dumpEnd, 0o600)
}
