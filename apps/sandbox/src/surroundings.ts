import { join } from 'node:path'
import { type SandboxBitbucket, startBitbucket } from './bitbucket/index.ts'
import type { DataFolder } from './data-folder.ts'
import { elsewhere, everythingHere, startDns, withoutNames } from './dns/index.ts'
import { type Inventory, readInventory } from './inventory.ts'
import { prepareNodes } from './nodes/index.ts'
import { Refusal } from './refusal.ts'
import { startSites } from './sites/index.ts'
import type { World } from './world.ts'

/** What of the outside world the sandbox plays itself, as the environment of those who talk to it. */
export type Surroundings = Readonly<Record<string, string>>

/** Starts those outside services that the configuration does not name real ones for. */
export async function startSurroundings(
  world: World,
  folder: DataFolder,
  databaseUrl: string,
): Promise<Surroundings> {
  const { configuration } = world
  const inventory = await readInventory(databaseUrl)
  const bitbucket = await bringBitbucket(world, folder)
  return {
    OPERATOR_CODE: configuration.OPERATOR_CODE ?? 'AGENTUR',
    ...(bitbucket && {
      BITBUCKET_URL: bitbucket.url,
      BITBUCKET_WORKSPACE: bitbucket.workspace,
      BITBUCKET_TOKEN: bitbucket.token,
      TRIAL_DAY_TEMPLATE: configuration.TRIAL_DAY_TEMPLATE ?? bitbucket.trialDayTemplate,
    }),
    ...(await bringHosting(world, folder, inventory, bitbucket)),
  }
}

async function bringBitbucket(world: World, folder: DataFolder): Promise<SandboxBitbucket | undefined> {
  if (world.configuration.BITBUCKET_WORKSPACE !== undefined) return undefined
  try {
    const bitbucket = await startBitbucket({ folder: join(folder.path, 'bitbucket') })
    world.ending.push(bitbucket.stop)
    return bitbucket
  } catch (error) {
    // On a machine without git the console stands all the same; what needs a repository says so.
    if (!(error instanceof Refusal)) throw error
    world.console.say(`${error.message} Until then there are no repositories.`)
    return undefined
  }
}

/** The nodes, what is hosted on them, and the names that lead there. */
async function bringHosting(
  { configuration, ending }: World,
  folder: DataFolder,
  { repositories, hosted, offline, extern }: Inventory,
  bitbucket: SandboxBitbucket | undefined,
): Promise<Surroundings> {
  // Whoever has nodes of their own has their hosting too.
  if (configuration.LOCAL_NODES_DIR !== undefined || configuration.SSH_KEY_FILE !== undefined) return {}
  const nodes = await prepareNodes({
    folder: folder.path,
    kickDumps: Object.values(repositories),
    ...(bitbucket && { origins: cloneUrls(repositories, bitbucket) }),
  })
  const { nodesFolder } = nodes
  const sites = await startSites({ folder: join(folder.path, 'authority'), nodesFolder, webs: hosted })
  ending.push(sites.stop)
  const dns = await startDns([withoutNames(offline), elsewhere(extern), everythingHere])
  ending.push(dns.stop)
  return {
    LOCAL_NODES_DIR: nodesFolder,
    RECIPES_FILE: configuration.RECIPES_FILE ?? nodes.recipesFile,
    // Those of the environment come first, and the first that matches counts.
    CONNECT_TO: [configuration.CONNECT_TO, sites.connectTo].filter((part) => part !== '').join(','),
    PROBE_CA_FILE: configuration.PROBE_CA_FILE ?? sites.authorityFile,
    DNS_SERVERS: configuration.DNS_SERVERS.length > 0 ? configuration.DNS_SERVERS.join(',') : dns.server,
  }
}

function cloneUrls(repositories: Readonly<Record<string, string>>, { url, workspace }: SandboxBitbucket) {
  const { origin } = new URL(url)
  return Object.fromEntries(
    Object.entries(repositories).map(([host, name]) => [host, `${origin}/${workspace}/${name}.git`]),
  )
}
