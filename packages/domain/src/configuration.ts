import { isIP } from 'node:net'
import { z } from 'zod'
import { withSecretsFromFiles } from './secret-files.ts'

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.int().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))

/** Separated by commas. */
const listOf = <Entry extends z.ZodType<string, string>>(entry: Entry) =>
  z
    .string()
    .transform((list) => list.split(',').map((part) => part.trim()))
    .pipe(z.array(entry))
    .default([])

/** NODE=VALUE, separated by commas: values by the nodes' names. */
const byNode = (value: RegExp, message: string) =>
  z
    .string()
    .transform((list) => list.split(',').map((entry) => entry.trim()))
    .pipe(z.array(z.string().regex(new RegExp(`^[^=\\s]+=${value.source}$`), message)))
    .transform((entries) =>
      Object.fromEntries(
        entries.map((entry): [string, string] => {
          const sign = entry.indexOf('=')
          return [entry.slice(0, sign), entry.slice(sign + 1)]
        }),
      ),
    )
    .default({})

/** An address with or without a port, an IPv6 one in brackets where it has one (Node's `setServers`). */
function isServer(text: string): boolean {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return false
  return isIP(bracketed ?? plain ?? text) !== 0
}

/** A host, or an IPv6 address in brackets; both may be left out. */
const place = String.raw`(?:\[[0-9A-Fa-f:.]+\]|[^:,\s[\]]*):\d*`
const detours = new RegExp(`^${place}:${place}(?:,${place}:${place})*$`)

const variables = z.object({
  /** postgres://…; the one-command start brings a database of its own where it is unset. */
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/\S+$/, 'must look like postgres://user:password@host:5432/database')
    .optional(),
  /** The login that owns the tables, for migrations alone, where that of DATABASE_URL does not. */
  DATABASE_OWNER_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/\S+$/, 'must look like postgres://user:password@host:5432/database')
    .optional(),
  PORT: wholeNumber(1, 65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  /** Signs the session cookie. */
  SESSION_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  /** Addresses (CIDR, comma-separated) of the proxies whose X-Forwarded headers count. */
  TRUST_PROXY: listOf(
    z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], 'must list addresses or networks (CIDR)'),
  ),
  /** Part of the host names that are the operator's own, kept out of monitoring and tracking lists; those are in lower case. */
  INTERNAL_DOMAIN_MARKER: z.string().trim().toLowerCase().default(''),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be a level of pino, such as info',
    )
    .default('info'),
  /** Lets those read the metrics who are not on this machine. */
  METRICS_TOKEN: z
    .string()
    .regex(/^[\w.~+/=-]{16,}$/, 'must have at least 16 letters and digits')
    .optional(),
  /** Where a worker shows its metrics, at HOST; it does not where this is unset. */
  METRICS_PORT: wholeNumber(1, 65_535).optional(),
  /** Of the sources that run; metrics tell it. */
  KUSTOS_REVISION: z.string().default('unknown'),
  /** redis://…; where it is unset the job queue lives in the database. */
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\/\S+$/, 'must look like redis://host:6379')
    .optional(),
  BITBUCKET_URL: z.url('must be a URL').default('https://api.bitbucket.org/2.0'),
  BITBUCKET_WORKSPACE: z
    .string()
    .regex(/^[A-Za-z0-9{][A-Za-z0-9_{}-]*$/, 'must be a workspace slug')
    .optional(),
  /** An access token, or `e-mail:token` for an API token of a user. */
  BITBUCKET_TOKEN: z.string().optional(),
  /** The customer of trial-day webs. */
  OPERATOR_CODE: z
    .string()
    .regex(/^([A-ZÄÖÜ]+|\d{6})$/, 'must be an all uppercase word or a 6 digit number')
    .optional(),
  /** The repository that trial-day webs are forked from. */
  TRIAL_DAY_TEMPLATE: z.string().optional(),
  /** A file of recipes in place of the shipped ones for Plesk nodes. */
  RECIPES_FILE: z.string().optional(),
  /** Deployments at a time on each node. */
  NODE_CONCURRENCY: wholeNumber(1, 64).default(2),
  SSH_KEY_FILE: z.string().optional(),
  SSH_KNOWN_HOSTS: z.string().optional(),
  SSH_USER: z
    .string()
    .regex(/^[a-z_][a-z0-9_-]*$/, 'must be a user name')
    .default('root'),
  /** Keys of the nodes' panels, by the nodes' names. */
  PLESK_API_KEYS: byNode(/\S+/, 'must list NODE=KEY, separated by commas'),
  /** SHA-256 fingerprints of the panels' certificates where those are self-signed, by the nodes' names. */
  PLESK_CERTIFICATES: byNode(
    /(?:[0-9A-Fa-f]{2}:?){31}[0-9A-Fa-f]{2}/,
    'must list NODE=FINGERPRINT (SHA-256, in hexadecimal digits), separated by commas',
  ),
  /** A folder that holds one for each node: steps run on this machine in it instead of over SSH. */
  LOCAL_NODES_DIR: z.string().optional(),
  /** curl's --connect-to: HOST1:PORT1:HOST2:PORT2, separated by commas; empty fields match all. */
  CONNECT_TO: z.string().regex(detours, 'must list HOST1:PORT1:HOST2:PORT2, separated by commas').default(''),
  /** Seconds from one round of probes to the next; rounds begin with the hour, and so with the day. */
  PROBE_INTERVAL: wholeNumber(2, 3600)
    .refine((seconds) => 3600 % seconds === 0, 'must divide an hour, as 30, 60 and 300 do')
    .default(60),
  /** Networks (CIDR) that are probed although they are private, for operators who host on such. */
  PROBE_ALLOW_NETWORKS: listOf(z.union([z.cidrv4(), z.cidrv6()], 'must list networks (CIDR)')),
  /** Certificates (PEM) of authorities that probes trust besides the public ones. */
  PROBE_CA_FILE: z.string().optional(),
  /** Name servers in place of the system's: addresses, each with its port where that is not 53. */
  DNS_SERVERS: listOf(
    z.string().refine(isServer, 'must list addresses such as 9.9.9.9, 127.0.0.1:5353 or [2620:fe::fe]:53'),
  ),
  /** A Chromium that tracking audits open pages in as well, by its path. */
  TRACKING_BROWSER: z.string().regex(/^\//, 'must be the absolute path of a Chromium').optional(),
  /** The API of the registrar that own domains and mailboxes lie at. */
  LIMITIS_API_URL: z.url({ protocol: /^https?$/, error: 'must be a URL' }).optional(),
  LIMITIS_API_TOKEN: z.string().optional(),
  /** smtp://user:password@host:587 or smtps://… */
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/\S+$/, 'must look like smtp://user:password@host:587')
    .optional(),
  /** Whom mails come from. */
  MAIL_FROM: z.string().default('Kustos <kustos@localhost>'),
  /** Who gets what goes to the channel mail, besides the users who subscribed to it. */
  ALERT_MAIL: listOf(z.email('must list mail addresses')),
  /** An incoming webhook. */
  SLACK_WEBHOOK_URL: z.url('must be a URL').optional(),
  TELEGRAM_URL: z.url('must be a URL').default('https://api.telegram.org'),
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^\d+:[\w-]+$/, 'must look like 123456:ABC-def')
    .optional(),
  TELEGRAM_CHAT_ID: z
    .string()
    .regex(/^(-?\d+|@\w+)$/, 'must be a number or @name')
    .optional(),
  /** Where staff open Kustos in a browser; messages link to it. */
  PUBLIC_URL: z.url('must be a URL').optional(),
  KUSTOS_DATA_DIR: z.string().default('.kustos'),
  /** How many webs the sandbox's inventory holds. */
  KUSTOS_SANDBOX_WEBS: wholeNumber(1, 200_000).default(60),
})

export type Configuration = z.output<typeof variables>

export type ReadConfiguration =
  | { readonly ok: true; readonly configuration: Configuration }
  | { readonly ok: false; readonly sentence: string }

/**
 * Reads the environment once, at the start. An empty variable counts as unset; a wrong one is named in a sentence. What
 * is secret may stand in a file instead, whose path is in the variable's name and _FILE.
 */
export function readConfiguration(
  environment: Readonly<Record<string, string | undefined>>,
): ReadConfiguration {
  const given = withSecretsFromFiles(
    Object.fromEntries(
      Object.entries(environment).flatMap(([name, value]) =>
        value === undefined || value.trim() === '' ? [] : [[name, value]],
      ),
    ),
  )
  if (!given.ok) return given
  const parsed = variables.safeParse(given.environment)
  if (parsed.success) return { ok: true, configuration: parsed.data }
  const [issue] = parsed.error.issues
  return { ok: false, sentence: `${String(issue?.path[0])} ${issue?.message}.` }
}
