import { isIP } from 'node:net'
import { dnsTypes } from '@kustos/contract/domains'
import { queues } from '@kustos/contract/queue'
import { z } from 'zod'
import { readSecretFiles } from './secret-files.ts'

const matching = (pattern: RegExp, message: string) => z.string().regex(pattern, message)

const wholeNumber = (min: number, max: number) =>
  matching(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.int().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))

/** A comma-separated list. */
const listOf = <Entry extends z.ZodType<string, string>>(entry: Entry) =>
  z
    .string()
    .transform((list) => list.split(',').map((part) => part.trim()))
    .pipe(z.array(entry))

/** A comma-separated list of NAME=VALUE, as an object from name to value. */
const byName = (value: RegExp, message: string) =>
  listOf(matching(new RegExp(`^[^=\\s]+=${value.source}$`), message))
    .transform((entries) =>
      Object.fromEntries(
        entries.map((entry): [string, string] => {
          const sign = entry.indexOf('=')
          return [entry.slice(0, sign), entry.slice(sign + 1)]
        }),
      ),
    )
    .default({})

const databaseUrl = () =>
  matching(/^postgres(ql)?:\/\/\S+$/, 'must look like postgres://user:password@host:5432/database').optional()

/** Whether `dns.Resolver.setServers` takes the text: an address, with a port an IPv6 one in brackets. */
function isNameServer(text: string): boolean {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return false
  return isIP(bracketed ?? plain ?? text) !== 0
}

/** A host and a port, either of which may be empty; IPv6 addresses are in brackets. */
const hostAndPort = String.raw`(?:\[[0-9A-Fa-f:.]+\]|[^:,\s[\]]*):\d*`
const connectOverrides = new RegExp(`^${hostAndPort}:${hostAndPort}(?:,${hostAndPort}:${hostAndPort})*$`)

/** Such as 18 months or 3 years, as a number of months. */
const retention = () =>
  matching(/^[1-9]\d{0,2} (month|year)s?$/, 'must be a time such as 18 months or 3 years').transform(
    (text) => Number.parseInt(text, 10) * (text.includes('year') ? 12 : 1),
  )

interface VariableDocumentation {
  readonly section: string
  /** One or two sentences for operators, in Markdown. */
  readonly description: string
  /** Secrets may be read from a file, see `readSecretFiles`. */
  readonly isSecret?: true
}

/** The queues of jobs, and that of periodic tasks. */
export const workerQueues = [...queues, 'periodic'] as const

/** The description of each variable in docs/configuration.md. */
export const documentation = z.registry<VariableDocumentation>()

const section =
  (name: string) =>
  <Schema extends z.ZodType>(schema: Schema, description: string, options?: { isSecret: true }): Schema => {
    documentation.add(schema, { section: name, description, ...options })
    return schema
  }

const secret = { isSecret: true } as const

const process = section('Processes')
const access = section('Sign-in and access')
const storage = section('Database and job queue')
const logs = section('Logs and metrics')
const requests = section('Website requests')
const nodes = section('Nodes')
const monitoring = section('Monitoring and audits')
const registrar = section('Domains and mailboxes')
const alerts = section('Alerts')
const sandbox = section('Sandbox')

const variables = z.object({
  PORT: process(wholeNumber(1, 65_535).default(3000), 'The port of the API.'),
  HOST: process(z.string().default('127.0.0.1'), 'The address that the API and the metrics listen on.'),
  PUBLIC_URL: process(
    z.url('must be a URL').optional(),
    'Where users open Kustos in a browser. Alerts link to it. The API serves requests to its host.',
  ),
  KUSTOS_DATA_DIR: process(z.string().default('.kustos'), 'A folder for everything that `npm start` keeps.'),
  CONNECT_TO: process(
    matching(connectOverrides, 'must list HOST1:PORT1:HOST2:PORT2, separated by commas').default(''),
    "Connects to other addresses than the names resolve to, like curl's `--connect-to`: `HOST1:PORT1:HOST2:PORT2`, " +
      'comma-separated. Empty fields match everything.',
  ),
  SESSION_SECRET: access(
    z.string().min(32, 'must have at least 32 characters').optional(),
    'Signs the session cookies. Required in production; changing it signs everybody out.',
    secret,
  ),
  SECRETS_KEY: access(
    listOf(
      matching(
        /^[A-Za-z0-9+/]{43}=?$/,
        'must list keys of 32 bytes in base64, as `openssl rand -base64 32` prints them',
      ),
    )
      .transform((keys) => keys.map((key) => Buffer.from(key, 'base64')))
      .default([]),
    'Encrypts secrets that the database stores, such as keys of panels: 32 bytes in base64. With several, comma-separated, the first ' +
      'one encrypts and all of them decrypt.',
    secret,
  ),
  REPORT_SIGNING_KEY: access(
    listOf(
      matching(
        /^[A-Za-z0-9+/]{43}=?$/,
        'must list keys of 32 bytes in base64, as `openssl rand -base64 32` prints them',
      ),
    )
      .transform((keys) => keys.map((key) => Buffer.from(key, 'base64')))
      .default([]),
    'Signs reports of tracking audits (Ed25519): 32 bytes in base64. With several, comma-separated, the first one signs, and the ' +
      'public keys of all of them are published. Reports are not signed when it is unset.',
    secret,
  ),
  ALLOWED_HOSTS: access(
    listOf(matching(/^[\w-]+(\.[\w-]+)*$/, 'must list host names without ports')).default([]),
    'Further host names, comma-separated, that clients may use for the API and the metrics. Besides them and the host of ' +
      '`PUBLIC_URL`, only `localhost`, addresses and the name of the machine are accepted.',
  ),
  TRUST_PROXY: access(
    listOf(
      z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], 'must list addresses or networks (CIDR)'),
    ).default([]),
    'Addresses or networks (CIDR), comma-separated, of the proxies whose `X-Forwarded-*` headers are trusted.',
  ),
  DATABASE_URL: storage(
    databaseUrl(),
    'The PostgreSQL database, `postgres://user:password@host:5432/database`. `npm start` starts one of its own ' +
      'when it is unset.',
    secret,
  ),
  DATABASE_OWNER_URL: storage(
    databaseUrl(),
    'The login that owns the tables and runs migrations, if `DATABASE_URL` is a login without that right.',
    secret,
  ),
  DATABASE_POOLER_URL: storage(
    databaseUrl(),
    'PgBouncer in front of that database, in transaction pooling and with a login of its own. The API and the workers send their ' +
      'statements there; notifications, migrations, backups and the job queue use `DATABASE_URL`.',
    secret,
  ),
  DATABASE_CONNECTIONS: storage(
    wholeNumber(2, 1000).optional(),
    'How many connections the pool of a program opens at most: 10 in the API and 20 in a worker when unset. Each program ' +
      'opens a few more for events and, without `REDIS_URL`, for the job queue.',
  ),
  WORKER_QUEUES: storage(
    listOf(z.enum(workerQueues, `must list some of ${workerQueues.join(', ')}`)).default([]),
    'The queues that a worker takes jobs from, comma-separated: `deployment`, `monitoring` (probes), `inspection` (refreshes, ' +
      'audits, nodes), `notification` (alerts) and `periodic` (what is due again and again). All when unset; each needs a worker.',
  ),
  REDIS_URL: storage(
    matching(
      /^rediss?(:\/\/\S+|\+cluster:\/\/([^\s@/]*@)?[\w.-]+(:\d+)?(,[\w.-]+(:\d+)?)*)$/,
      'must look like redis://host:6379 or redis+cluster://host:6379,host:6379',
    ).optional(),
    'The Redis server of the job queue, `redis://user:password@host:6379`, or servers of a Redis Cluster, ' +
      '`redis+cluster://user:password@host:6379,host:6379`. The queue lives in PostgreSQL when it is unset.',
    secret,
  ),
  AUDIT_RETENTION: storage(
    retention().optional(),
    'How long the audit log stays in the database, such as `18 months` or `3 years`. Older months are written to ' +
      '`AUDIT_ARCHIVE_DIR` and removed. Unlimited when unset; the API stores it when it starts.',
  ),
  AUDIT_ARCHIVE_DIR: storage(
    z.string().optional(),
    'The folder of these files, which the workers write and all of them share.',
  ),
  RECORD_RETENTION: storage(
    retention().default(36),
    'How long the records of tracking audits and their screenshots stay, such as `18 months` or `3 years`. Whole months are ' +
      'removed. The API stores it when it starts.',
  ),
  LOG_LEVEL: logs(
    z
      .enum(
        ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
        'must be a level of pino, such as info',
      )
      .default('info'),
    'The lowest level that is logged: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
  ),
  METRICS_TOKEN: logs(
    matching(/^[\w.~+/=-]{16,}$/, 'must have at least 16 letters and digits').optional(),
    'The bearer token for `/metrics`, at least 16 letters and digits. Only this machine can read the metrics ' +
      'when it is unset.',
    secret,
  ),
  METRICS_PORT: logs(
    wholeNumber(1, 65_535).optional(),
    'The port that a worker serves its metrics on. It serves none when this is unset.',
  ),
  KUSTOS_REVISION: logs(
    z.string().default('unknown'),
    'The revision that the metrics report, such as a commit.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: logs(
    z.url({ protocol: /^https?$/, error: 'must be a URL' }).optional(),
    'An OpenTelemetry collector that gets the traces, such as `http://collector:4318` (OTLP over HTTP). There are no traces ' +
      'when it is unset.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: logs(
    byName(/(?:[^,%]|%[0-9A-Fa-f]{2})+/, 'must list NAME=VALUE, separated by commas').transform((headers) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, decodeURIComponent(value)])),
    ),
    'Headers for the collector, `NAME=VALUE`, comma-separated and percent-encoded, such as `Authorization=Bearer%20abc`.',
    secret,
  ),
  OTEL_TRACES_SAMPLER_ARG: logs(
    matching(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number from 0 to 1')
      .default('1')
      .transform(Number),
    'The share of the traces that are recorded, from 0 to 1.',
  ),
  BITBUCKET_URL: requests(
    z.url('must be a URL').default('https://api.bitbucket.org/2.0'),
    'The API of Bitbucket.',
  ),
  BITBUCKET_WORKSPACE: requests(
    matching(/^[A-Za-z0-9{][A-Za-z0-9_{}-]*$/, 'must be a workspace slug').optional(),
    'The slug of the workspace that holds the templates.',
  ),
  BITBUCKET_TOKEN: requests(
    z.string().optional(),
    "An access token of the workspace, or `e-mail:token` for a user's API token.",
    secret,
  ),
  OPERATOR_CODE: requests(
    matching(/^([A-ZÄÖÜ]+|\d{6})$/, 'must be an all uppercase word or a 6 digit number').optional(),
    'The customer that trial-day websites belong to.',
  ),
  TRIAL_DAY_TEMPLATE: requests(
    z.string().optional(),
    'The repository that trial-day websites are forked from.',
  ),
  SSH_KEY_FILE: nodes(z.string().optional(), 'The private key that the nodes accept.'),
  SSH_KNOWN_HOSTS: nodes(
    z.string().optional(),
    "The nodes' host keys, in OpenSSH's `known_hosts` format. A node without an entry is not connected to.",
  ),
  SSH_USER: nodes(
    matching(/^[a-z_][a-z0-9_-]*$/, 'must be a user name').default('root'),
    'The user that commands run as on the nodes.',
  ),
  NODE_CONCURRENCY: nodes(wholeNumber(1, 64).default(2), 'How many deployments run at once on each node.'),
  INSPECTION_CONCURRENCY: nodes(
    wholeNumber(1, 64).default(4),
    'How many refreshes, audits and readings of nodes run at once in each worker.',
  ),
  PLESK_API_KEYS: nodes(
    byName(/\S+/, 'must list NODE=KEY, separated by commas'),
    'The API keys of the Plesk panels, `NODE=KEY`, comma-separated.',
    secret,
  ),
  PLESK_CERTIFICATES: nodes(
    byName(
      /(?:[0-9A-Fa-f]{2}:?){31}[0-9A-Fa-f]{2}/,
      'must list NODE=FINGERPRINT (SHA-256, in hexadecimal digits), separated by commas',
    ),
    'SHA-256 fingerprints of the panels’ self-signed certificates, `NODE=AA:BB:…`, comma-separated.',
  ),
  RECIPES_FILE: nodes(
    z.string().optional(),
    'A recipe file to use instead of the one shipped for Plesk nodes.',
  ),
  LOCAL_NODES_DIR: nodes(
    z.string().optional(),
    'A folder with a subfolder for each node. Commands then run on this machine in it instead of over SSH.',
  ),
  INTERNAL_DOMAIN_MARKER: monitoring(
    z.string().trim().toLowerCase().default(''),
    "Part of the operator's own host names. Websites whose host name contains it are left out of the monitoring " +
      'and tracking lists.',
  ),
  PROBE_INTERVAL: monitoring(
    wholeNumber(2, 3600)
      .refine((seconds) => 3600 % seconds === 0, 'must divide an hour, as 30, 60 and 300 do')
      .default(60),
    'Seconds between two rounds of probes. Must divide an hour, so that rounds start with the hour and the day.',
  ),
  PROBE_ALLOW_NETWORKS: monitoring(
    listOf(z.union([z.cidrv4(), z.cidrv6()], 'must list networks (CIDR)')).default([]),
    'Private networks (CIDR), comma-separated, that may be probed nevertheless.',
  ),
  PROBE_CA_FILE: monitoring(
    z.string().optional(),
    'Certificates (PEM) of authorities that probes trust besides the public ones.',
  ),
  PROBE_CONTROLS: monitoring(
    listOf(matching(/^[\w-]+(\.[\w-]+)*$/, 'must list host names')).default([]),
    'Host names of others, comma-separated, that are probed when no website responds. If one of them responds, it is an ' +
      'outage of all websites, otherwise one of our own network. Without them it counts as our own.',
  ),
  HEARTBEAT_URL: monitoring(
    z.url({ protocol: /^https?$/, error: 'must be a URL' }).optional(),
    "A dead-man's switch, which is called after each round of probes, and raises an alarm when it is not. Private addresses " +
      'need `PROBE_ALLOW_NETWORKS`.',
    secret,
  ),
  DNS_SERVERS: monitoring(
    listOf(
      z
        .string()
        .refine(isNameServer, 'must list addresses such as 9.9.9.9, 127.0.0.1:5353 or [2620:fe::fe]:53'),
    ).default([]),
    "Name servers, comma-separated, with a port if it is not 53; the system's when unset. With two or more, a failure " +
      'reported by one of them counts only when another confirms it.',
  ),
  TRACKING_BROWSER: monitoring(
    matching(
      /^(\/|wss?:\/\/[^/\s]+)/,
      'must be the absolute path of a Chromium or ws://host:port',
    ).optional(),
    'The Chromium that tracking audits open pages in: its absolute path, or `ws://host:port` of a server of Playwright that ' +
      'runs it. Audits read the HTML only when it is unset.',
  ),
  TRACKING_BROWSER_USER: monitoring(
    matching(/^[a-z_][a-z0-9_-]*$/, 'must be a user name').default('nobody'),
    'The user that the browser runs as if the worker runs as root. The user must be able to run the program, and needs ' +
      'no other right.',
  ),
  TRACKING_BROWSER_SANDBOX: monitoring(
    z.enum(['required', 'optional'], 'must be required or optional').default('required'),
    "With `required`, audits use the browser only in Chromium's sandbox and never as root. With `optional`, it also runs " +
      'without the sandbox, and as root if it does not start as another user.',
  ),
  TRACKING_BUDGET_SECONDS: monitoring(
    wholeNumber(15, 120).default(45),
    'How long the browser visits a website in an audit, all its pages and visitors together. What it has not seen by then is ' +
      'reported as missing.',
  ),
  TRACKING_BUDGET_MEGABYTES: monitoring(
    wholeNumber(5, 10_000).default(100),
    'How many megabytes such a visit sends and receives before it ends.',
  ),
  LIMITIS_API_URL: registrar(
    z.url({ protocol: /^https?$/, error: 'must be a URL' }).optional(),
    "The registrar's API that domains and mailboxes are synchronised from.",
  ),
  LIMITIS_API_TOKEN: registrar(z.string().optional(), 'The token for that API.', secret),
  RDAP_BOOTSTRAP_FILE: registrar(
    z.string().optional(),
    "A list of registries' RDAP servers (IANA's `dns.json`) to use instead of the one shipped.",
  ),
  DKIM_SELECTORS: registrar(
    listOf(
      matching(/^[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9])?(\.[A-Za-z0-9_-]+)*$/, 'must list DKIM selectors'),
    ).default([
      'google',
      'selector1',
      'selector2',
      'default',
      'dkim',
      'mail',
      'k1',
      'k2',
      'k3',
      's1',
      's2',
      'smtp',
      'mandrill',
      'mxvault',
    ]),
    'The selectors under which DKIM keys are looked up, comma-separated. DNS does not tell which ones a domain uses.',
  ),
  DNS_ALERT_TYPES: alerts(
    z
      .union([
        z.literal('none').transform((): (typeof dnsTypes)[number][] => []),
        listOf(z.enum(dnsTypes, `must be none, or list some of ${dnsTypes.join(', ')}`)),
      ])
      .default(['A', 'AAAA', 'CNAME', 'MX', 'NS']),
    'The types of DNS records whose changes are alerted, comma-separated, or `none`. Addresses and aliases matter for hosts of ' +
      'websites only. A domain can mute some.',
  ),
  SMTP_URL: alerts(
    matching(/^smtps?:\/\/\S+$/, 'must look like smtp://user:password@host:587').optional(),
    'The mail server, `smtp://user:password@host:587` or `smtps://…`; special characters percent-encoded. The API needs it, too, for mails about accounts.',
    secret,
  ),
  MAIL_FROM: alerts(z.string().default('Kustos <kustos@localhost>'), 'The sender of mails.'),
  ALERT_MAIL: alerts(
    listOf(z.email('must list mail addresses')).default([]),
    'Addresses, comma-separated, that get every alert of the mail channel, besides the users who subscribed.',
  ),
  ALERT_REMINDERS: alerts(
    z.enum(['never', '1h', '4h', 'daily'], 'must be never, 1h, 4h or daily').default('never'),
    'How often alerts are repeated while an incident lasts: `never`, `1h`, `4h` or `daily`.',
  ),
  SLACK_WEBHOOK_URL: alerts(z.url('must be a URL').optional(), 'An incoming webhook of Slack.', secret),
  TELEGRAM_URL: alerts(z.url('must be a URL').default('https://api.telegram.org'), 'The API of Telegram.'),
  TELEGRAM_BOT_TOKEN: alerts(
    matching(/^\d+:[\w-]+$/, 'must look like 123456:ABC-def').optional(),
    'The token of the Telegram bot.',
    secret,
  ),
  TELEGRAM_CHAT_ID: alerts(
    matching(/^(-?\d+|@\w+)$/, 'must be a number or @name').optional(),
    'The chat that the bot writes to: a number, or `@name`.',
  ),
  PAGERDUTY_URL: alerts(
    z.url('must be a URL').default('https://events.pagerduty.com'),
    'The Events API of PagerDuty; `https://events.eu.pagerduty.com` for accounts of its EU region.',
  ),
  KUSTOS_SANDBOX_WEBS: sandbox(
    wholeNumber(1, 200_000).default(60),
    'How many websites the sandbox starts with.',
  ),
  KUSTOS_SANDBOX_ADDRESS: sandbox(
    z.ipv4('must be an IPv4 address').default('127.0.0.1'),
    'The address of this machine that the simulated services listen on.',
  ),
  KUSTOS_SANDBOX_SETTINGS: sandbox(
    z.string().optional(),
    'A file. The sandbox writes the settings of the programs to it instead of starting them.',
  ),
})

/** The schema of each variable by its name. */
export const variableSchemas: Readonly<Record<string, z.ZodType>> = variables.shape

export type Configuration = z.output<typeof variables>

export type ReadConfiguration =
  | { readonly ok: true; readonly configuration: Configuration }
  | { readonly ok: false; readonly sentence: string }

const secretNames = Object.entries(variableSchemas).flatMap(([name, schema]) =>
  documentation.get(schema)?.isSecret ? [name] : [],
)

/**
 * Reads the environment variables. An empty variable counts as unset.
 * @returns the configuration, or a sentence that names the first invalid variable
 */
export function readConfiguration(
  environment: Readonly<Record<string, string | undefined>>,
): ReadConfiguration {
  const read = readSecretFiles(
    Object.fromEntries(
      Object.entries(environment).flatMap(([name, value]) =>
        value === undefined || value.trim() === '' ? [] : [[name, value]],
      ),
    ),
    secretNames,
  )
  if (!read.ok) return read
  const parsed = variables.safeParse(read.environment)
  if (parsed.success) {
    const { AUDIT_RETENTION: months, AUDIT_ARCHIVE_DIR: folder } = parsed.data
    if (months !== undefined && folder === undefined)
      return { ok: false, sentence: 'AUDIT_RETENTION needs AUDIT_ARCHIVE_DIR, the folder of the archives.' }
    return { ok: true, configuration: parsed.data }
  }
  const [issue] = parsed.error.issues
  return { ok: false, sentence: `${String(issue?.path[0])} ${issue?.message}.` }
}
