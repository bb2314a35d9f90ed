import { join } from 'node:path'
import { installedBrowser } from '@kustos/clients/browser'
import { type SandboxBitbucket, startBitbucket } from './bitbucket/index.ts'
import type { DataFolder } from './data-folder.ts'
import {
  configured,
  elsewhere,
  everythingHere,
  registeredDomains,
  startDns,
  withoutNames,
} from './dns/index.ts'
import { type Inventory, readInventory } from './inventory.ts'
import { type SandboxMessages, startMessages } from './messages/index.ts'
import { addressOfProvisioned, nodesFolderIn, prepareNodes } from './nodes/index.ts'
import { startPlesk } from './plesk/index.ts'
import { Refusal } from './refusal.ts'
import { startRegistrar } from './registrar/index.ts'
import { externalDomainStories, ownDomainStories } from './seed/domains.ts'
import { startSites } from './sites/index.ts'
import type { World } from './world.ts'

type Settings = Readonly<Record<string, string>>

/** What of the outside world the sandbox plays itself. */
export interface Surroundings {
  /** As the environment of those who talk to it. */
  readonly settings: Settings
  /** Where the messages can be read that reach nobody real; null where all channels are real. */
  readonly messagesUrl: string | null
}

/** Starts those outside services that the configuration does not name real ones for. */
export async function startSurroundings(
  world: World,
  folder: DataFolder,
  databaseUrl: string,
): Promise<Surroundings> {
  const { configuration } = world
  const browser = browserHere(world)
  const inventory = await readInventory(databaseUrl)
  const bitbucket = await bringBitbucket(world, folder)
  const panels = await bringPlesk(world, inventory, folder)
  const hosting = await bringHosting(world, folder, inventory, bitbucket, panels.connectTo)
  const messages = await bringMessages(world, folder)
  const settings = {
    OPERATOR_CODE: configuration.OPERATOR_CODE ?? 'AGENTUR',
    ...(bitbucket && {
      BITBUCKET_URL: bitbucket.url,
      BITBUCKET_WORKSPACE: bitbucket.workspace,
      BITBUCKET_TOKEN: bitbucket.token,
      TRIAL_DAY_TEMPLATE: configuration.TRIAL_DAY_TEMPLATE ?? bitbucket.trialDayTemplate,
    }),
    ...hosting,
    ...panels.settings,
    ...(await bringRegistrar(world)),
    ...(await browser),
    ...(messages && channelSettings(world, messages)),
    PUBLIC_URL: configuration.PUBLIC_URL ?? `http://localhost:${configuration.PORT}`,
  }
  return { settings, messagesUrl: messages?.url ?? null }
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

/** The panels of the nodes, where neither they nor the nodes are real ones. */
async function bringPlesk(
  { configuration, ending }: World,
  { nodes }: Inventory,
  folder: DataFolder,
): Promise<{ readonly settings: Settings; readonly connectTo: string }> {
  const isReal = Object.keys(configuration.PLESK_API_KEYS).length > 0
  if (isReal || hasOwnNodes(configuration)) return { settings: {}, connectTo: '' }
  const { stop, keys, certificates, connectTo } = await startPlesk(nodes, nodesFolderIn(folder.path))
  ending.push(stop)
  return { settings: { PLESK_API_KEYS: keys, PLESK_CERTIFICATES: certificates }, connectTo }
}

/** Whoever has nodes of their own has their hosting too. */
const hasOwnNodes = ({ LOCAL_NODES_DIR, SSH_KEY_FILE }: World['configuration']) =>
  LOCAL_NODES_DIR !== undefined || SSH_KEY_FILE !== undefined

/** The nodes, what is hosted on them, and the names that lead there. */
async function bringHosting(
  { configuration, ending }: World,
  folder: DataFolder,
  { repositories, hosted, offline, extern, addresses }: Inventory,
  bitbucket: SandboxBitbucket | undefined,
  toPanels: string,
): Promise<Settings> {
  if (hasOwnNodes(configuration)) return {}
  const nodes = await prepareNodes({
    folder: folder.path,
    kickDumps: Object.values(repositories),
    ...(bitbucket && { origins: cloneUrls(repositories, bitbucket) }),
  })
  const { nodesFolder } = nodes
  const sites = await startSites({ folder: join(folder.path, 'authority'), nodesFolder, webs: hosted })
  ending.push(sites.stop)
  const dns = await startDns([
    registeredDomains([...ownDomainStories, ...externalDomainStories], new Set(hosted.keys())),
    withoutNames(offline),
    elsewhere(extern),
    configured((host) => addresses.get(host) ?? addressOfProvisioned(nodesFolder, host)),
    everythingHere,
  ])
  ending.push(dns.stop)
  return {
    LOCAL_NODES_DIR: nodesFolder,
    RECIPES_FILE: configuration.RECIPES_FILE ?? nodes.recipesFile,
    // Those of the environment come first, and the first that matches counts.
    CONNECT_TO: [configuration.CONNECT_TO, toPanels, sites.connectTo].filter((part) => part !== '').join(','),
    PROBE_CA_FILE: configuration.PROBE_CA_FILE ?? sites.authorityFile,
    DNS_SERVERS: configuration.DNS_SERVERS.length > 0 ? configuration.DNS_SERVERS.join(',') : dns.server,
  }
}

/** Audits open pages in the Chromium of this machine where there is one; an empty TRACKING_BROWSER has them do without. */
async function browserHere({ environment }: World): Promise<Settings> {
  if (environment.TRACKING_BROWSER !== undefined) return {}
  const program = await installedBrowser(environment)
  return program === null ? {} : { TRACKING_BROWSER: program }
}

/** Plays the registrar where the configuration names none. */
async function bringRegistrar({ configuration, ending }: World): Promise<Settings> {
  if (configuration.LIMITIS_API_URL !== undefined) return {}
  const registrar = await startRegistrar()
  ending.push(registrar.stop)
  return { LIMITIS_API_URL: registrar.url, LIMITIS_API_TOKEN: registrar.token }
}

/** Takes the messages of those channels that the environment names no real receiver for. */
async function bringMessages(
  { configuration, ending }: World,
  folder: DataFolder,
): Promise<SandboxMessages | undefined> {
  const { SMTP_URL, SLACK_WEBHOOK_URL, TELEGRAM_BOT_TOKEN } = configuration
  if ([SMTP_URL, SLACK_WEBHOOK_URL, TELEGRAM_BOT_TOKEN].every((given) => given !== undefined))
    return undefined
  const messages = await startMessages(join(folder.path, 'messages'))
  ending.push(messages.stop)
  return messages
}

function channelSettings({ configuration, environment }: World, messages: SandboxMessages): Settings {
  const { SMTP_URL, ALERT_MAIL, SLACK_WEBHOOK_URL, TELEGRAM_BOT_TOKEN } = configuration
  return {
    ...(SMTP_URL === undefined && {
      ...messages.mail,
      ...(ALERT_MAIL.length > 0 && { ALERT_MAIL: ALERT_MAIL.join(',') }),
      ...(environment.MAIL_FROM?.trim() && { MAIL_FROM: environment.MAIL_FROM }),
    }),
    ...(SLACK_WEBHOOK_URL === undefined && messages.slack),
    ...(TELEGRAM_BOT_TOKEN === undefined && messages.telegram),
  }
}

function cloneUrls(repositories: Readonly<Record<string, string>>, { url, workspace }: SandboxBitbucket) {
  const { origin } = new URL(url)
  return Object.fromEntries(
    Object.entries(repositories).map(([host, name]) => [host, `${origin}/${workspace}/${name}.git`]),
  )
}
