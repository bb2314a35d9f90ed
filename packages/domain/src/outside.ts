import { X509Certificate } from 'node:crypto'
import { access, constants, readFile } from 'node:fs/promises'
import { type Bitbucket, openBitbucket } from '@kustos/clients/bitbucket'
import { type Browser, openBrowser } from '@kustos/clients/browser'
import { type Dns, openDns } from '@kustos/clients/dns'
import { openPageFetcher, type PageFetcher } from '@kustos/clients/page'
import { openPlesk } from '@kustos/clients/plesk'
import { openProber, type Prober } from '@kustos/clients/probe'
import {
  openQueues,
  type QueueSettings,
  type QueueWork,
  type QueueWorkers,
  startQueueWorkers,
} from '@kustos/clients/queue'
import type { Registrar } from '@kustos/clients/registrar'
import { openLocalRunners, openSshRunners, RunnerError, type Runners } from '@kustos/clients/runner'
import { queues } from '@kustos/contract/queue'
import type { Configuration } from './configuration.ts'
import { type DeploymentTools, type ExecutionTools, readRecipes } from './deployment/index.ts'
import { reasonOf } from './errors.ts'
import { whileStarting } from './lasting.ts'
import { registrarOf } from './limitis/index.ts'
import { type AlertTools, openAlertChannels } from './monitoring/alerts/index.ts'
import type { RefreshTools } from './webs/index.ts'

export type { Bitbucket } from '@kustos/clients/bitbucket'
export type { QueueWorkers } from '@kustos/clients/queue'

/** What Kustos works with beside its database. */
export interface Outside {
  readonly deployments: DeploymentTools
  /** Null where no workspace is configured. */
  readonly bitbucket: Bitbucket | null
  close(): Promise<void>
}

/** The same for those who carry deployments out. */
export interface OutsideOfWorkers extends Outside {
  readonly deployments: ExecutionTools
  readonly alerts: AlertTools
  readonly dns: Dns
  readonly prober: Prober
  readonly pages: PageFetcher
  /** Null where none is configured. */
  readonly browser: Browser | null
  /** What refreshes of webs take. */
  readonly refreshing: RefreshTools
  /** Null where none is configured. */
  readonly registrar: Registrar | null
  /** Takes jobs from the queues. */
  takeJobs(work: readonly QueueWork[]): Promise<QueueWorkers>
}

export interface OutsideOptions {
  readonly databaseUrl: string
  /** Told of what goes wrong in the background. */
  readonly onError: (error: Error) => void
}

type Settings = Pick<
  Configuration,
  | 'BITBUCKET_TOKEN'
  | 'BITBUCKET_URL'
  | 'BITBUCKET_WORKSPACE'
  | 'OPERATOR_CODE'
  | 'RECIPES_FILE'
  | 'REDIS_URL'
  | 'TRIAL_DAY_TEMPLATE'
>

/** @throws Error with a sentence for the operator where the recipes are wrong; what Postgres says where it is away */
export async function openOutside(settings: Settings, options: OutsideOptions): Promise<Outside> {
  const { onError } = options
  const recipes = await readRecipes(settings.RECIPES_FILE)
  const open = await whileStarting(() => openQueues(queueSettings(settings, options), queues), onError)
  const bitbucket = bitbucketOf(settings)
  const { TRIAL_DAY_TEMPLATE: template, OPERATOR_CODE: customer } = settings
  return {
    deployments: {
      queues: open,
      recipes,
      trialDay: template !== undefined && customer !== undefined ? { template, customer } : null,
      onError,
    },
    bitbucket,
    async close() {
      await open.close()
      await bitbucket?.close()
    },
  }
}

/**
 * Without SSH's settings it opens, and says what is missing when a node is asked for.
 * @throws what `openOutside` and `openAlertChannels` do, and where PROBE_CA_FILE or TRACKING_BROWSER cannot be used
 */
export async function openOutsideOfWorkers(
  configuration: Configuration,
  options: OutsideOptions,
): Promise<OutsideOfWorkers> {
  const reach = await reachOf(configuration)
  const prober = openProber(reach)
  // Whoever asks for a refresh wants the certificate of this moment.
  const anew = openProber({ ...reach, resumes: false })
  const pages = openPageFetcher(reach)
  const browser = await browserOf(configuration, reach)
  const plesk = openPlesk({
    ...reach,
    keys: configuration.PLESK_API_KEYS,
    certificates: configuration.PLESK_CERTIFICATES,
  })
  const { close: closeChannels, ...alerts } = openAlertChannels(configuration)
  const runners = runnersOf(configuration)
  const registrar = registrarOf(configuration)
  const dns = openDns({ servers: configuration.DNS_SERVERS })
  const outside = await openOutside(configuration, options)
  return {
    ...outside,
    deployments: {
      ...outside.deployments,
      bitbucket: outside.bitbucket,
      runners,
      prober,
      nodeConcurrency: configuration.NODE_CONCURRENCY,
    },
    alerts: { ...alerts, queues: outside.deployments.queues, onError: options.onError },
    dns,
    prober,
    pages,
    browser,
    refreshing: { plesk, dns, prober: anew, pages },
    registrar,
    takeJobs: (work) =>
      whileStarting(() => startQueueWorkers(queueSettings(configuration, options), work), options.onError),
    async close() {
      await outside.close()
      await closeChannels()
      await runners.close()
      await prober.close()
      await anew.close()
      await plesk.close()
      pages.close()
      await browser?.close()
      dns.close()
      await registrar?.close()
    },
  }
}

const queueSettings = (
  { REDIS_URL: redisUrl }: Pick<Configuration, 'REDIS_URL'>,
  { databaseUrl, onError }: OutsideOptions,
): QueueSettings => ({ databaseUrl, redisUrl, onError })

function bitbucketOf(settings: Settings) {
  const { BITBUCKET_URL: url, BITBUCKET_WORKSPACE: workspace, BITBUCKET_TOKEN: credentials } = settings
  if (workspace === undefined || credentials === undefined) return null
  // A dead Bitbucket is told of while somebody still watches.
  return openBitbucket({ url, workspace, credentials, patience: 15_000 })
}

/** How webs are reached, by whatever looks at them. */
async function reachOf(configuration: Configuration) {
  const file = configuration.PROBE_CA_FILE
  return {
    connectTo: configuration.CONNECT_TO,
    allowNetworks: configuration.PROBE_ALLOW_NETWORKS,
    dnsServers: configuration.DNS_SERVERS,
    authorities: file === undefined ? [] : [await authoritiesIn(file)],
  }
}

/** @throws Error with a sentence for the operator */
async function browserOf(
  { TRACKING_BROWSER: executable }: Configuration,
  reach: Awaited<ReturnType<typeof reachOf>>,
): Promise<Browser | null> {
  if (executable === undefined) return null
  try {
    await access(executable, constants.X_OK)
  } catch (cause) {
    throw new Error(`TRACKING_BROWSER cannot be used: there is no program at ${executable}.`, { cause })
  }
  return openBrowser({ ...reach, executable })
}

/** @throws Error with a sentence for the operator */
async function authoritiesIn(file: string): Promise<string> {
  try {
    const certificates = await readFile(file, 'utf8')
    // TLS would pass over in silence what is none.
    new X509Certificate(certificates)
    return certificates
  } catch (cause) {
    throw new Error(
      `PROBE_CA_FILE cannot be used: no certificate can be read from ${file} (${reasonOf(cause)}).`,
      { cause },
    )
  }
}

function runnersOf(configuration: Configuration): Runners {
  const { LOCAL_NODES_DIR: folder, SSH_KEY_FILE: keyFile, SSH_KNOWN_HOSTS: knownHostsFile } = configuration
  if (folder !== undefined) return openLocalRunners({ folder })
  if (keyFile === undefined || knownHostsFile === undefined) return noRunners
  return openSshRunners({
    keyFile,
    knownHostsFile,
    user: configuration.SSH_USER,
    controllerFolder: configuration.KUSTOS_DATA_DIR,
  })
}

const noRunners: Runners = {
  get controller(): never {
    throw new RunnerError('SSH_KEY_FILE and SSH_KNOWN_HOSTS are missing: no node can be reached.')
  },
  node({ name }) {
    throw new RunnerError(`SSH_KEY_FILE and SSH_KNOWN_HOSTS are missing: node ${name} cannot be reached.`)
  },
  close: () => Promise.resolve(),
}
