import { join } from 'node:path'
import { installedBrowser } from '@kustos/clients/browser'
import { type SandboxBitbucket, startBitbucket } from './bitbucket/index.ts'
import type { DataFolder } from './data-folder.ts'
import {
  configured,
  mailZone,
  registeredDomains,
  rejectNames,
  resolveTo,
  resolveToForeignAddress,
  type ScriptedRecords,
  scripted,
  startDns,
  withDeadIpv6,
} from './dns/index.ts'
import { type Inventory, readInventory } from './inventory.ts'
import { type SandboxMessages, startMessages } from './messages/index.ts'
import { addressOfProvisioned, nodesFolderIn, prepareNodes } from './nodes/index.ts'
import { startPlesk } from './plesk/index.ts'
import { startRegistry } from './rdap/index.ts'
import { createRegistrations } from './rdap/registrations.ts'
import { startRegistrar } from './registrar/index.ts'
import { findHostsByBehaviour } from './seed/behaviours.ts'
import { externalSeedDomains, ownSeedDomains } from './seed/domains.ts'
import { startSites } from './sites/index.ts'
import { StartError } from './start-error.ts'
import type { StartContext } from './start-sandbox.ts'

type Settings = Readonly<Record<string, string>>

export interface ExternalServices {
  /** Environment variables of the API and the worker. */
  readonly settings: Settings
  /** The page that shows the messages; null if all channels are real. */
  readonly messagesUrl: string | null
}

/** Starts a simulation of each external service that is not configured. */
export async function startExternalServices(
  context: StartContext,
  folder: DataFolder,
  databaseUrl: string,
): Promise<ExternalServices> {
  const { configuration } = context
  const browser = findBrowser(context)
  const inventory = await readInventory(databaseUrl)
  const bitbucket = await startBitbucketIfNeeded(context, folder)
  const plesk = await startPleskIfNeeded(context, inventory, folder)
  const hosting = await startHostingIfNeeded(context, folder, inventory, bitbucket, plesk.connectTo)
  const messages = await startMessagesIfNeeded(context, folder)
  const settings = {
    OPERATOR_CODE: configuration.OPERATOR_CODE ?? 'AGENTUR',
    ...(bitbucket && {
      BITBUCKET_URL: bitbucket.url,
      BITBUCKET_WORKSPACE: bitbucket.workspace,
      BITBUCKET_TOKEN: bitbucket.token,
      TRIAL_DAY_TEMPLATE: configuration.TRIAL_DAY_TEMPLATE ?? bitbucket.trialDayTemplate,
    }),
    ...hosting,
    ...plesk.settings,
    ...(await startRegistrarIfNeeded(context)),
    ...(await browser),
    ...(messages && channelSettings(context, messages)),
    // First, since the first entry that matches a host counts.
    ...(messages && {
      CONNECT_TO: joinEntries(messages.connectTo, hosting.CONNECT_TO ?? configuration.CONNECT_TO),
    }),
    PUBLIC_URL: configuration.PUBLIC_URL ?? `http://localhost:${configuration.PORT}`,
  }
  return { settings, messagesUrl: messages?.url ?? null }
}

async function startBitbucketIfNeeded(
  { configuration, console, stops }: StartContext,
  folder: DataFolder,
): Promise<SandboxBitbucket | undefined> {
  if (configuration.BITBUCKET_WORKSPACE !== undefined) return undefined
  try {
    const bitbucket = await startBitbucket(
      join(folder.path, 'bitbucket'),
      configuration.KUSTOS_SANDBOX_ADDRESS,
    )
    stops.push(bitbucket.stop)
    return bitbucket
  } catch (error) {
    // Without git everything works except for repositories.
    if (!(error instanceof StartError)) throw error
    console.print(`${error.message} Until then there are no repositories.`)
    return undefined
  }
}

async function startPleskIfNeeded(
  { configuration, stops }: StartContext,
  { nodes }: Inventory,
  folder: DataFolder,
): Promise<{ readonly settings: Settings; readonly connectTo: string }> {
  const isReal = Object.keys(configuration.PLESK_API_KEYS).length > 0
  if (isReal || hasRealNodes(configuration)) return { settings: {}, connectTo: '' }
  const { stop, keys, certificates, connectTo } = await startPlesk(
    nodes,
    nodesFolderIn(folder.path),
    configuration.KUSTOS_SANDBOX_ADDRESS,
  )
  stops.push(stop)
  return { settings: { PLESK_API_KEYS: keys, PLESK_CERTIFICATES: certificates }, connectTo }
}

const joinEntries = (...lists: readonly string[]) => lists.filter((entries) => entries !== '').join(',')

const hasRealNodes = ({ LOCAL_NODES_DIR, SSH_KEY_FILE }: StartContext['configuration']) =>
  LOCAL_NODES_DIR !== undefined || SSH_KEY_FILE !== undefined

async function startHostingIfNeeded(
  context: StartContext,
  folder: DataFolder,
  { repositories, hosted, offline, extern, addresses }: Inventory,
  bitbucket: SandboxBitbucket | undefined,
  connectToPlesk: string,
): Promise<Settings> {
  const { configuration, stops } = context
  if (hasRealNodes(configuration)) return {}
  const records: ScriptedRecords = new Map()
  const { nodesFolder, recipesFile, programs } = await prepareNodes({
    folder: folder.path,
    kickDumps: Object.values(repositories),
    ...(bitbucket && { origins: cloneUrls(repositories, bitbucket) }),
  })
  const address = configuration.KUSTOS_SANDBOX_ADDRESS
  const sites = await startSites({
    folder: join(folder.path, 'authority'),
    address,
    nodesFolder,
    webs: hosted,
  })
  stops.push(sites.stop)
  const seedDomains = [...ownSeedDomains, ...externalSeedDomains]
  const zones = [
    scripted(records),
    mailZone(seedDomains),
    registeredDomains(seedDomains, new Set(hosted.keys())),
    withDeadIpv6(new Set(findHostsByBehaviour('dead-ipv6'))),
    rejectNames(offline),
    resolveToForeignAddress(extern),
    configured((host) => addresses.get(host) ?? addressOfProvisioned(nodesFolder, host), address),
    resolveTo(address),
  ]
  const dns = await startDns(zones, address)
  stops.push(dns.stop)
  // The first entry that matches a host counts.
  const registry = await startRegistryIfNeeded(context, folder, records)
  const connectTo = [configuration.CONNECT_TO, connectToPlesk, registry.connectTo, sites.connectTo]
  return {
    ...registry.settings,
    LOCAL_NODES_DIR: nodesFolder,
    PATH: `${programs}:${process.env.PATH ?? ''}`,
    RECIPES_FILE: configuration.RECIPES_FILE ?? recipesFile,
    CONNECT_TO: joinEntries(...connectTo),
    PROBE_CA_FILE: configuration.PROBE_CA_FILE ?? sites.authorityFile,
    DNS_SERVERS: configuration.DNS_SERVERS.length > 0 ? configuration.DNS_SERVERS.join(',') : dns.server,
  }
}

async function startRegistryIfNeeded(
  { configuration, stops }: StartContext,
  folder: DataFolder,
  records: ScriptedRecords,
): Promise<{ readonly settings: Settings; readonly connectTo: string }> {
  if (configuration.RDAP_BOOTSTRAP_FILE !== undefined) return { settings: {}, connectTo: '' }
  const address = configuration.KUSTOS_SANDBOX_ADDRESS
  const domains = createRegistrations()
  const registry = await startRegistry({ folder: folder.path, domains, records, address })
  stops.push(registry.stop)
  return { settings: { RDAP_BOOTSTRAP_FILE: registry.bootstrapFile }, connectTo: registry.connectTo }
}

/** The Chromium of this machine, unless TRACKING_BROWSER names another one or, if empty, none. */
async function findBrowser({ environment }: StartContext): Promise<Settings> {
  if (environment.TRACKING_BROWSER !== undefined) return {}
  const program = await installedBrowser(environment)
  // The pages are the sandbox's own, so that protection from them is welcome but not needed.
  const { TRACKING_BROWSER_SANDBOX: sandbox = 'optional' } = environment
  return program === null ? {} : { TRACKING_BROWSER: program, TRACKING_BROWSER_SANDBOX: sandbox }
}

async function startRegistrarIfNeeded({ configuration, stops }: StartContext): Promise<Settings> {
  if (configuration.LIMITIS_API_URL !== undefined) return {}
  const registrar = await startRegistrar(configuration.KUSTOS_SANDBOX_ADDRESS)
  stops.push(registrar.stop)
  return { LIMITIS_API_URL: registrar.url, LIMITIS_API_TOKEN: registrar.token }
}

async function startMessagesIfNeeded(
  { configuration, stops }: StartContext,
  folder: DataFolder,
): Promise<SandboxMessages | undefined> {
  const { SMTP_URL, SLACK_WEBHOOK_URL, TELEGRAM_BOT_TOKEN } = configuration
  if (![SMTP_URL, SLACK_WEBHOOK_URL, TELEGRAM_BOT_TOKEN].includes(undefined)) return undefined
  const messages = await startMessages(join(folder.path, 'messages'), configuration.KUSTOS_SANDBOX_ADDRESS)
  stops.push(messages.stop)
  return messages
}

function channelSettings({ configuration, environment }: StartContext, messages: SandboxMessages): Settings {
  const { SMTP_URL, ALERT_MAIL, SLACK_WEBHOOK_URL, TELEGRAM_BOT_TOKEN } = configuration
  return {
    ...(SMTP_URL === undefined && {
      ...messages.mail,
      ...(ALERT_MAIL.length > 0 && { ALERT_MAIL: ALERT_MAIL.join(',') }),
      ...(environment.MAIL_FROM?.trim() && { MAIL_FROM: environment.MAIL_FROM }),
    }),
    ...(SLACK_WEBHOOK_URL === undefined && messages.slack),
    ...(TELEGRAM_BOT_TOKEN === undefined && messages.telegram),
    ...messages.pagerDuty,
  }
}

const cloneUrls = (repositories: Readonly<Record<string, string>>, { url, workspace }: SandboxBitbucket) =>
  Object.fromEntries(
    Object.entries(repositories).map(([host, name]) => [
      host,
      `${new URL(url).origin}/${workspace}/${name}.git`,
    ]),
  )
