import { queues } from '@kustos/contract/queue'
import { z } from 'zod'
import { secret, section } from './documentation.ts'
import { byName, httpUrl, listOf, matching, wholeNumber } from './formats.ts'

const process = section('Processes')
const access = section('Sign-in and access')
const storage = section('Database and job queue')
const logs = section('Logs and metrics')
const sandbox = section('Sandbox')

/** The queues of jobs, and that of periodic tasks. */
export const workerQueues = [...queues, 'periodic'] as const

/** A host and a port, either of which may be empty; IPv6 addresses are in brackets. */
const hostAndPort = String.raw`(?:\[[0-9A-Fa-f:.]+\]|[^:,\s[\]]*):\d*`
const connectOverrides = new RegExp(`^${hostAndPort}:${hostAndPort}(?:,${hostAndPort}:${hostAndPort})*$`)

/** A comma-separated list of keys. */
const keys = () =>
  listOf(
    matching(
      /^[A-Za-z0-9+/]{43}=?$/,
      'must list keys of 32 bytes in base64, as `openssl rand -base64 32` prints them',
    ),
  )
    .transform((list) => list.map((key) => Buffer.from(key, 'base64')))
    .default([])

const databaseUrl = () =>
  matching(/^postgres(ql)?:\/\/\S+$/, 'must look like postgres://user:password@host:5432/database').optional()

/** Such as 18 months or 3 years, as a number of months. */
const retention = () =>
  matching(/^[1-9]\d{0,2} (month|year)s?$/, 'must be a time such as 18 months or 3 years').transform(
    (text) => Number.parseInt(text, 10) * (text.includes('year') ? 12 : 1),
  )

export const programVariables = {
  PORT: process(wholeNumber(1, 65_535).default(3000), 'The port of the API.'),
  HOST: process(z.string().default('127.0.0.1'), 'The address that the API and the metrics listen on.'),
  PUBLIC_URL: process(
    httpUrl().optional(),
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
    keys(),
    'Encrypts secrets that the database stores, such as keys of panels: 32 bytes in base64. With several, comma-separated, the first ' +
      'one encrypts and all of them decrypt.',
    secret,
  ),
  REPORT_SIGNING_KEY: access(
    keys(),
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
    httpUrl().optional(),
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
}

export const sandboxVariables = {
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
}
