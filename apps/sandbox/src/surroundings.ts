import { join } from 'node:path'
import { asciiFqdn } from '@kustos/contract/webs'
import { openDatabase } from '@kustos/database/client'
import { webs } from '@kustos/database/tables'
import { and, isNotNull, isNull } from 'drizzle-orm'
import { type SandboxBitbucket, startBitbucket } from './bitbucket/index.ts'
import type { DataFolder } from './data-folder.ts'
import { startNodes } from './nodes/index.ts'
import { Refusal } from './refusal.ts'
import type { World } from './world.ts'

/** What of the outside world the sandbox plays itself, as the environment of those who talk to it. */
export type Surroundings = Readonly<Record<string, string>>

/** Starts those outside services that the configuration does not name real ones for. */
export async function startSurroundings(
  world: World,
  folder: DataFolder,
  databaseUrl: string,
): Promise<Surroundings> {
  const { configuration, ending } = world
  const settings: Record<string, string> = { OPERATOR_CODE: configuration.OPERATOR_CODE ?? 'AGENTUR' }
  let bitbucket: SandboxBitbucket | undefined
  if (configuration.BITBUCKET_WORKSPACE === undefined) {
    bitbucket = await withGit(world, () => startBitbucket({ folder: join(folder.path, 'bitbucket') }))
  }
  if (bitbucket) {
    ending.push(bitbucket.stop)
    Object.assign(settings, {
      BITBUCKET_URL: bitbucket.url,
      BITBUCKET_WORKSPACE: bitbucket.workspace,
      BITBUCKET_TOKEN: bitbucket.token,
      TRIAL_DAY_TEMPLATE: configuration.TRIAL_DAY_TEMPLATE ?? bitbucket.trialDayTemplate,
    })
  }
  if (configuration.LOCAL_NODES_DIR === undefined && configuration.SSH_KEY_FILE === undefined) {
    const repositories = await repositoriesByHost(databaseUrl)
    const nodes = await startNodes({
      folder: folder.path,
      kickDumps: Object.values(repositories),
      ...(bitbucket && { origins: cloneUrls(repositories, bitbucket) }),
    })
    ending.push(nodes.stop)
    Object.assign(settings, {
      LOCAL_NODES_DIR: nodes.nodesFolder,
      RECIPES_FILE: configuration.RECIPES_FILE ?? nodes.recipesFile,
      // Those of the environment come first, and the first that matches counts.
      CONNECT_TO: [configuration.CONNECT_TO, nodes.connectTo].filter((part) => part !== '').join(','),
    })
  }
  return settings
}

/** On a machine without git the console stands all the same; what needs a repository says so. */
async function withGit<T>({ console }: World, start: () => Promise<T>): Promise<T | undefined> {
  try {
    return await start()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    console.say(`${error.message} Until then there are no repositories.`)
    return undefined
  }
}

async function repositoriesByHost(databaseUrl: string): Promise<Record<string, string>> {
  const database = openDatabase(databaseUrl, { name: 'kustos-sandbox', max: 1 })
  try {
    const rows = await database.db
      .select({ fqdn: webs.fqdn, repository: webs.repository })
      .from(webs)
      .where(and(isNotNull(webs.repository), isNull(webs.deleted_at)))
    return Object.fromEntries(
      rows.flatMap(({ fqdn, repository }) =>
        repository === null ? [] : [[asciiFqdn(fqdn) ?? fqdn, repository]],
      ),
    )
  } finally {
    await database.close()
  }
}

function cloneUrls(repositories: Readonly<Record<string, string>>, { url, workspace }: SandboxBitbucket) {
  const { origin } = new URL(url)
  return Object.fromEntries(
    Object.entries(repositories).map(([host, name]) => [host, `${origin}/${workspace}/${name}.git`]),
  )
}
