import type { OpenDatabase } from '@kustos/database/client'
import { logEntries, logSeals, nodes, users } from '@kustos/database/tables'
import { and, eq, isNull, max, sql } from 'drizzle-orm'
import type { Configuration } from '../platform/configuration.ts'
import { readConnections } from '../platform/connections.ts'
import { errorMessage } from '../platform/errors.ts'
import { openPanelKey } from '../platform/panel-key.ts'
import { createSecretBox } from '../platform/secret-box.ts'
import { doubtful, type Finding, fine, wrong } from './finding.ts'

const oldestPostgres = 18
const maxClockDifferenceMs = 2_000
const maxSealDelayMs = 120_000

type Settings = Pick<Configuration, 'SECRETS_KEY' | 'SMTP_URL'>

export async function examineDatabase(database: OpenDatabase, settings: Settings): Promise<Finding[]> {
  try {
    return [
      ...(await examineServer(database)),
      await examineKeys(database, settings),
      await examineSubscribers(database, settings),
      await examineWorkers(database),
    ]
  } catch (error) {
    const advice = 'Check DATABASE_URL, and whether `kustos migrate` or an API has run.'
    return [wrong('database', `Postgres cannot be used: ${errorMessage(error)}.`, advice)]
  }
}

async function examineServer({ db }: OpenDatabase): Promise<Finding[]> {
  const asked = Date.now()
  const { rows } = await db.execute<{ version: string; now: string }>(
    sql`select current_setting('server_version') as version, (extract(epoch from clock_timestamp()) * 1000)::text as now`,
  )
  const { version = '', now = '' } = rows[0] ?? {}
  const difference = Math.round(Number(now) - (asked + Date.now()) / 2)
  const { allowed, open } = await readConnections(db)
  return [
    Number.parseInt(version, 10) < oldestPostgres
      ? wrong('database', `Postgres is ${version}.`, `Kustos needs Postgres ${oldestPostgres} or newer.`)
      : fine('database', `Postgres ${version} answers.`),
    Math.abs(difference) > maxClockDifferenceMs
      ? wrong(
          'clock',
          `The clock of Postgres differs by ${(difference / 1000).toFixed(1)} s from the one here.`,
          'Let NTP set the clocks of all machines: leases and rounds of probes depend on them.',
        )
      : fine('clock', `It differs by ${difference} ms from that of Postgres.`),
    open > allowed * 0.8
      ? doubtful(
          'connections',
          `${open} of ${allowed} connections to Postgres are open.`,
          'Raise max_connections, or lower DATABASE_CONNECTIONS of the programs.',
        )
      : fine('connections', `${open} of ${allowed} connections to Postgres are open.`),
  ]
}

async function examineKeys({ db }: OpenDatabase, { SECRETS_KEY: keys }: Settings): Promise<Finding> {
  const box = createSecretBox(keys)
  const rows = await db.select({ id: nodes.id, name: nodes.name, plesk_key: nodes.plesk_key }).from(nodes)
  const unreadable = rows.filter((node) => openPanelKey(box, node) === 'unreadable').map(({ name }) => name)
  if (unreadable.length > 0)
    return wrong(
      'secrets',
      `The stored API keys of ${unreadable.join(', ')} cannot be decrypted.`,
      'Put the earlier key back into SECRETS_KEY, behind the new one, or save the API keys again.',
    )
  return box === null
    ? doubtful(
        'secrets',
        'SECRETS_KEY is not set, so API keys of nodes cannot be stored.',
        'Set it to the output of `openssl rand -base64 32`, for the API and the workers alike.',
      )
    : fine('secrets', 'All stored API keys of nodes can be decrypted.')
}

async function examineSubscribers({ db }: OpenDatabase, { SMTP_URL: server }: Settings): Promise<Finding> {
  const subscribed = and(isNull(users.deleted_at), eq(users.monitoring_mail_subscription, true))
  const count = await db.$count(users, subscribed)
  return server === undefined && count > 0
    ? doubtful(
        'subscribers',
        `${count} users want mails about outages, but SMTP_URL is not set here.`,
        'Set SMTP_URL for the API and the workers.',
      )
    : fine('subscribers', `${count} users get mails about outages.`)
}

/** Workers seal each entry of the audit log within seconds. */
async function examineWorkers({ db }: OpenDatabase): Promise<Finding> {
  const [entry] = await db.select({ at: max(logEntries.created_at) }).from(logEntries)
  const [seal] = await db.select({ at: max(logSeals.sealed_at) }).from(logSeals)
  const written = entry?.at ?? null
  const isLate = written !== null && Date.now() - written.getTime() > maxSealDelayMs
  return isLate && (seal?.at ?? new Date(0)) < written
    ? wrong(
        'workers',
        `Nobody has sealed the entries of the audit log since ${written.toISOString()}.`,
        'Start a worker that takes the queue `periodic`, or read the log of the one that runs.',
      )
    : fine('workers', 'Periodic tasks are done.')
}
