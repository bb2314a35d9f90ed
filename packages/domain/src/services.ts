import { X509Certificate } from 'node:crypto'
import { access, constants, readFile } from 'node:fs/promises'
import { type Bitbucket, openBitbucket } from '@kustos/clients/bitbucket'
import { type Browser, type BrowserSettings, openBrowser } from '@kustos/clients/browser'
import { type NameChecker, openNameChecker } from '@kustos/clients/certificates'
import { type Dns, openDns } from '@kustos/clients/dns'
import { type Heartbeat, openHeartbeat } from '@kustos/clients/heartbeat'
import { openPageFetcher, type PageFetcher } from '@kustos/clients/page'
import { openPlesk } from '@kustos/clients/plesk'
import { openProber, type Prober } from '@kustos/clients/probe'
import { openQueues, type QueueWork, type QueueWorkers, startQueueWorkers } from '@kustos/clients/queue'
import { openRdap, type Rdap, readBootstrap } from '@kustos/clients/rdap'
import type { Registrar } from '@kustos/clients/registrar'
import { openLocalRunners, openSshRunners, RunnerError, type Runners } from '@kustos/clients/runner'
import { queues } from '@kustos/contract/queue'
import { type DeploymentTools, type ExecutionTools, readRecipes } from './deployment/index.ts'
import { openConfiguredRegistrar } from './limitis/index.ts'
import { type DeliveryTools, enqueueAlerts, openAlertChannels } from './monitoring/alerts/index.ts'
import { type Controls, openControls } from './monitoring/index.ts'
import type { Configuration } from './platform/configuration/index.ts'
import { errorMessage } from './platform/errors.ts'
import type { MailOutbox } from './platform/mail.ts'
import { createMask, secretsOf } from './platform/masking/index.ts'
import { waitForDatabase } from './platform/retry.ts'
import { createSecretBox } from './platform/secret-box.ts'
import { traceRunners } from './platform/tracing/index.ts'
import type { RefreshTools } from './webs/index.ts'

export type { Bitbucket } from '@kustos/clients/bitbucket'

export interface ExternalServices {
  readonly deployments: DeploymentTools
  /** Null if not configured. */
  readonly bitbucket: Bitbucket | null
  /** Undefined if no mail server is configured. */
  readonly mail: MailOutbox | undefined
  close(): Promise<void>
}

export interface WorkerServices extends ExternalServices {
  readonly deployments: ExecutionTools
  readonly alerts: DeliveryTools
  readonly dns: Dns
  readonly rdap: Rdap
  readonly prober: Prober
  readonly nameChecker: NameChecker
  /** Null if not configured. */
  readonly controls: Controls | null
  /** Null if not configured. */
  readonly heartbeat: Heartbeat | null
  readonly pages: PageFetcher
  /** Null if not configured. */
  readonly browser: Browser | null
  readonly refreshing: RefreshTools
  /** Null if not configured. */
  readonly registrar: Registrar | null
  takeJobs(work: readonly QueueWork[]): Promise<QueueWorkers>
}

interface ExternalServicesOptions {
  readonly databaseUrl: string
  readonly onError: (error: Error) => void
}

interface WorkerServicesOptions extends ExternalServicesOptions {
  /** Called when the browser of audits has started with a certain protection. */
  readonly onBrowserStart?: BrowserSettings['onStart']
}

type Settings = Pick<
  Configuration,
  | 'BITBUCKET_TOKEN'
  | 'BITBUCKET_URL'
  | 'BITBUCKET_WORKSPACE'
  | 'OPERATOR_CODE'
  | 'PUBLIC_URL'
  | 'RECIPES_FILE'
  | 'REDIS_URL'
  | 'SMTP_URL'
  | 'TRIAL_DAY_TEMPLATE'
>

/** @throws Error with a sentence for the operator if the recipes are invalid; the error of Postgres if it is down */
export async function openExternalServices(
  settings: Settings,
  options: ExternalServicesOptions,
): Promise<ExternalServices> {
  const { onError } = options
  const queueSettings = { ...options, redisUrl: settings.REDIS_URL }
  const recipes = await readRecipes(settings.RECIPES_FILE)
  const open = await waitForDatabase(() => openQueues(queueSettings, queues), onError)
  const bitbucket = openConfiguredBitbucket(settings)
  const { TRIAL_DAY_TEMPLATE: template, OPERATOR_CODE: customer } = settings
  return {
    deployments: {
      queues: open,
      recipes,
      trialDay: template !== undefined && customer !== undefined ? { template, customer } : null,
      onError,
    },
    bitbucket,
    mail:
      settings.SMTP_URL === undefined
        ? undefined
        : {
            publicUrl: settings.PUBLIC_URL ?? null,
            enqueue: (ids) => enqueueAlerts({ queues: open, onError }, ids),
          },
    async close() {
      await open.close()
      await bitbucket?.close()
    },
  }
}

/**
 * Missing settings for SSH are reported only when a node is needed.
 * @throws the errors of `openExternalServices` and `openAlertChannels`, and if PROBE_CA_FILE or TRACKING_BROWSER is
 * unusable
 */
export async function openWorkerServices(
  configuration: Configuration,
  options: WorkerServicesOptions,
): Promise<WorkerServices> {
  const reach = await readReach(configuration)
  const prober = openProber(reach)
  // A refresh has to see the current certificate.
  const freshProber = openProber({ ...reach, resumes: false })
  const nameChecker = openNameChecker(reach)
  const pages = openPageFetcher(reach)
  const browser = await openConfiguredBrowser(configuration, reach, options.onBrowserStart)
  const plesk = openPlesk({
    ...reach,
    keys: configuration.PLESK_API_KEYS,
    certificates: configuration.PLESK_CERTIFICATES,
  })
  const nodeSecrets = {
    secrets: secretsOf(configuration),
    secretBox: createSecretBox(configuration.SECRETS_KEY),
  }
  const { close: closeChannels, ...alerts } = openAlertChannels(configuration, reach)
  const runners = traceRunners(openRunners(configuration))
  const registrar = openConfiguredRegistrar(configuration)
  const dns = openDns({ servers: configuration.DNS_SERVERS })
  const rdap = openRdap({ ...reach, bootstrap: await readBootstrap(configuration.RDAP_BOOTSTRAP_FILE) })
  const { HEARTBEAT_URL: heartbeatUrl } = configuration
  const heartbeat = heartbeatUrl === undefined ? null : openHeartbeat({ ...reach, url: heartbeatUrl })
  const outside = await openExternalServices(configuration, options)
  return {
    ...outside,
    deployments: {
      ...outside.deployments,
      bitbucket: outside.bitbucket,
      runners,
      prober,
      nodeConcurrency: configuration.NODE_CONCURRENCY,
      ...nodeSecrets,
    },
    alerts: { ...alerts, queues: outside.deployments.queues, onError: options.onError },
    dns,
    rdap,
    prober,
    nameChecker,
    controls: openControls(prober, configuration.PROBE_CONTROLS),
    heartbeat,
    pages,
    browser,
    refreshing: {
      plesk,
      dns,
      prober: freshProber,
      pages,
      ...nodeSecrets,
    },
    registrar,
    takeJobs: (work) =>
      waitForDatabase(
        () => startQueueWorkers({ ...options, redisUrl: configuration.REDIS_URL }, work),
        options.onError,
      ),
    async close() {
      await outside.close()
      await closeChannels()
      await runners.close()
      await prober.close()
      await freshProber.close()
      await nameChecker.close()
      await plesk.close()
      await heartbeat?.close()
      await rdap.close()
      pages.close()
      await browser?.close()
      dns.close()
      await registrar?.close()
    },
  }
}

function openConfiguredBitbucket(settings: Settings) {
  const { BITBUCKET_URL: url, BITBUCKET_WORKSPACE: workspace, BITBUCKET_TOKEN: credentials } = settings
  if (workspace === undefined || credentials === undefined) return null
  const { text: mask } = createMask(secretsOf(settings))
  // A Bitbucket that does not respond is reported while the operator still watches.
  return openBitbucket({ url, workspace, credentials, mask, totalTimeoutMs: 15_000 })
}

/** How all clients connect to webs. */
async function readReach(configuration: Configuration) {
  const file = configuration.PROBE_CA_FILE
  return {
    connectTo: configuration.CONNECT_TO,
    allowNetworks: configuration.PROBE_ALLOW_NETWORKS,
    dnsServers: configuration.DNS_SERVERS,
    authorities: file === undefined ? [] : [await readAuthorities(file)],
  }
}

/** Where the image of the browser has it (Dockerfile). */
const serverBrowser = '/usr/bin/chromium'

/** @throws Error with a sentence for the operator */
async function openConfiguredBrowser(
  {
    TRACKING_BROWSER: program,
    TRACKING_BROWSER_USER: user,
    TRACKING_BROWSER_SANDBOX: sandbox,
    TRACKING_BUDGET_SECONDS: seconds,
    TRACKING_BUDGET_MEGABYTES: megabytes,
  }: Configuration,
  reach: Awaited<ReturnType<typeof readReach>>,
  onStart: BrowserSettings['onStart'],
): Promise<Browser | null> {
  if (program === undefined) return null
  const budget = { seconds, megabytes }
  const settings = { ...reach, user, sandbox, budget, ...(onStart && { onStart }) }
  if (!program.startsWith('/'))
    return openBrowser({ ...settings, server: program, executable: serverBrowser })
  try {
    await access(program, constants.X_OK)
  } catch (cause) {
    throw new Error(`TRACKING_BROWSER cannot be used: there is no program at ${program}.`, { cause })
  }
  return openBrowser({ ...settings, executable: program })
}

/** @throws Error with a sentence for the operator */
async function readAuthorities(file: string): Promise<string> {
  try {
    const certificates = await readFile(file, 'utf8')
    // TLS would silently ignore an invalid certificate.
    new X509Certificate(certificates)
    return certificates
  } catch (cause) {
    throw new Error(
      `PROBE_CA_FILE cannot be used: no certificate can be read from ${file} (${errorMessage(cause)}).`,
      { cause },
    )
  }
}

function openRunners(configuration: Configuration): Runners {
  const { LOCAL_NODES_DIR: folder, SSH_KEY_FILE: keyFile, SSH_KNOWN_HOSTS: knownHostsFile } = configuration
  if (folder !== undefined) return openLocalRunners({ folder })
  if (keyFile === undefined) return noRunners
  return openSshRunners({
    keyFile,
    knownHostsFile,
    user: configuration.SSH_USER,
  })
}

const noRunners: Runners = {
  node({ name }) {
    throw new RunnerError({ code: 'ssh_not_set_up_for', params: { node: name } })
  },
  readHostKey: ({ name }) =>
    Promise.reject(new RunnerError({ code: 'ssh_not_set_up_for', params: { node: name } })),
  close: () => Promise.resolve(),
}
