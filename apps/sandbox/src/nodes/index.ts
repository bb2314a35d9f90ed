import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { kickstarters } from '@kustos/contract/bitbucket'
import { trialDayTemplate } from '../bitbucket/catalogue.ts'
import { seedNodes } from '../seed/places.ts'
import { fillContent } from './content.ts'
import { dumpEnd, dumpStart, dumpTables } from './dump-text.ts'
import { pagesServer } from './pages-server.ts'
import { originsFile, replaceFile, writeRecipes } from './recipes-file.ts'

export interface NodesSettings {
  /** Where the nodes' folders and the recipes lie from one start to the next. */
  readonly folder: string
  /** Clone URLs by the ASCII name of the web; a web that is not in here gets a small repository of its own. */
  readonly origins?: Readonly<Record<string, string>>
  /** Repositories that have a kick dump on every node from the start, beside the templates of new webs. */
  readonly kickDumps?: readonly string[]
  /** Where webs are served; any that is free unless told otherwise. */
  readonly port?: number
}

export interface SandboxNodes {
  /** For LOCAL_NODES_DIR. */
  readonly nodesFolder: string
  /** For RECIPES_FILE. */
  readonly recipesFile: string
  /** For CONNECT_TO: on the ports 80 and 443 every host is found here. */
  readonly connectTo: string
  stop(): Promise<void>
}

/**
 * Prepares a folder for each node of the seed, and serves their webs over HTTP on loopback. What is there from an
 * earlier start stays.
 */
export async function startNodes(settings: NodesSettings): Promise<SandboxNodes> {
  const { folder, origins = {}, kickDumps = [], port = 0 } = settings
  const nodesFolder = join(folder, 'nodes')
  for (const { name } of seedNodes)
    for (const part of ['webs', 'exports', 'kick', 'backups'])
      await mkdir(join(nodesFolder, name, part), { recursive: true })
  await replaceFile(join(nodesFolder, originsFile), `${JSON.stringify(origins)}\n`)
  for (const repository of [...kickstarters, trialDayTemplate, ...kickDumps])
    await makeKickDump(nodesFolder, repository)
  const recipesFile = await writeRecipes(folder)

  const server = pagesServer(nodesFolder)
  const address = await new Promise<AddressInfo | string | null>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server.address()))
  })
  const listening = typeof address === 'object' && address !== null ? address.port : port
  return {
    nodesFolder,
    recipesFile,
    // TLS is refused by it at once, while a name server may take its time to say that there is no such host.
    connectTo: [80, 443].map((from) => `:${from}:127.0.0.1:${listening}`).join(','),
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

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
