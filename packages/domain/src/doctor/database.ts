import { type OpenDatabase, openDatabase } from '@kustos/database/client'
import { findPoolerProblem } from '@kustos/database/pooler'
import { nodes, users } from '@kustos/database/tables'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { listUnreadableChannels } from '../alert-channels/index.ts'
import { listUnreadableChecks } from '../checks/index.ts'
import { readOldestUnsealed } from '../logs/index.ts'
import type { Configuration } from '../platform/configuration/index.ts'
import { readConnections } from '../platform/connections.ts'
import { errorMessage } from '../platform/errors.ts'
import { openPanelKey } from '../platform/panel-key.ts'
import { createSecretBox } from '../platform/secret-box.ts'
import { type Finding, reportError, reportOk, reportWarning } from './finding.ts'

const oldestPostgres = 18
const maxClockDifferenceMs = 2_000
const maxSealDelayMs = 120_000

type Settings = Pick<Configuration, 'SECRETS_KEY' | 'SMTP_URL'>

export async function checkDatabase(database: OpenDatabase, settings: Settings): Promise<Finding[]> {
  try {
    return [
      ...(await checkServer(database)),
      ...(await checkKeys(database, settings)),
      await checkSubscribers(database, settings),
      await checkWorkers(database),
    ]
  } catch (error) {
    const advice = 'Check DATABASE_URL, and whether `kustos migrate` or an API has run.'
    return [reportError('database', `Postgres cannot be used: ${errorMessage(error)}.`, advice)]
  }
}

export async function checkPooler(
  { DATABASE_POOLER_URL: url }: Configuration,
  direct: OpenDatabase,
): Promise<Finding[]> {
  if (url === undefined) return []
  const pooled = openDatabase(url, { name: 'kustos-doctor', max: 1, isPooled: true })
  try {
    const problem = await findPoolerProblem(pooled, direct)
    return [
      problem === null
        ? reportOk('pooler', `Statements go through the pooler at ${new URL(url).host}.`)
        : reportError('pooler', problem.text, problem.advice),
    ]
  } catch (error) {
    const advice = 'Check DATABASE_POOLER_URL, and the log of the pooler.'
    return [reportError('pooler', `The pooler cannot be used: ${errorMessage(error)}.`, advice)]
  } finally {
    await pooled.close()
  }
}

async function checkServer({ db }: OpenDatabase): Promise<Finding[]> {
  const asked = Date.now()
  const { rows } = await db.execute<{ version: string; now: string }>(
    sql`select current_setting('server_version') as version, (extract(epoch from clock_timestamp()) * 1000)::text as now`,
  )
  const { version = '', now = '' } = rows[0] ?? {}
  const difference = Math.round(Number(now) - (asked + Date.now()) / 2)
  const { allowed, open } = await readConnections(db)
  return [
    Number.parseInt(version, 10) < oldestPostgres
      ? reportError(
          'database',
          `Postgres is ${version}.`,
          `Kustos needs Postgres ${oldestPostgres} or newer.`,
        )
      : reportOk('database', `Postgres ${version} answers.`),
    Math.abs(difference) > maxClockDifferenceMs
      ? reportError(
          'clock',
          `The clock of Postgres differs by ${(difference / 1000).toFixed(1)} s from the one here.`,
          'Let NTP set the clocks of all machines: leases and rounds of probes depend on them.',
        )
      : reportOk('clock', `It differs by ${difference} ms from that of Postgres.`),
    open > allowed * 0.8
      ? reportWarning(
          'connections',
          `${open} of ${allowed} connections to Postgres are open.`,
          'Raise max_connections, or lower DATABASE_CONNECTIONS of the programs.',
        )
      : reportOk('connections', `${open} of ${allowed} connections to Postgres are open.`),
  ]
}

async function checkKeys({ db }: OpenDatabase, { SECRETS_KEY: keys }: Settings): Promise<Finding[]> {
  const box = createSecretBox(keys)
  const rows = await db.select({ id: nodes.id, name: nodes.name, plesk_key: nodes.plesk_key }).from(nodes)
  const unreadable = [
    ['API keys of', rows.filter((node) => openPanelKey(box, node) === 'unreadable').map(({ name }) => name)],
    ['URLs and keys of the channels', await listUnreadableChannels(db, box)],
    ['headers of the checks of', await listUnreadableChecks(db, box)],
  ] as const
  const findings = unreadable.flatMap(([what, names]) =>
    names.length === 0
      ? []
      : reportError(
          'secrets',
          `The stored ${what} ${names.join(', ')} cannot be decrypted.`,
          'Put the earlier key back into SECRETS_KEY, behind the new one, or enter them again.',
        ),
  )
  if (findings.length > 0) return findings
  return [
    box === null
      ? reportWarning(
          'secrets',
          'SECRETS_KEY is not set, so secrets of nodes, channels and checks cannot be stored.',
          'Set it to the output of `openssl rand -base64 32`, for the API and the workers alike.',
        )
      : reportOk('secrets', 'All stored secrets can be decrypted.'),
  ]
}

async function checkSubscribers({ db }: OpenDatabase, { SMTP_URL: server }: Settings): Promise<Finding> {
  const subscribed = and(isNull(users.deleted_at), eq(users.monitoring_mail_subscription, true))
  const count = await db.$count(users, subscribed)
  return server === undefined && count > 0
    ? reportWarning(
        'subscribers',
        `${count} users want mails about outages, but SMTP_URL is not set here.`,
        'Set SMTP_URL for the API and the workers.',
      )
    : reportOk('subscribers', `${count} users get mails about outages.`)
}

/** Workers seal each entry of the audit log within seconds. */
async function checkWorkers({ db }: OpenDatabase): Promise<Finding> {
  const oldest = await readOldestUnsealed(db)
  return oldest !== null && Date.now() - oldest.getTime() > maxSealDelayMs
    ? reportError(
        'workers',
        `No audit log entry has been sealed since ${oldest.toISOString()}.`,
        'Start a worker that takes the queue `periodic`, or read the log of the one that runs.',
      )
    : reportOk('workers', 'Periodic tasks are running.')
}
