import type { Transaction } from '@kustos/database/client'
import { type AlertContent, type AlertEvent, alerts } from '@kustos/database/tables'
import { count, eq, max, min, sql } from 'drizzle-orm'
import { toAlertedIncident } from './alert-event.ts'
import { formatDuration, formatMoment, linksTo, truncateList } from './message-parts.ts'

interface Options {
  /** Of the channel. */
  readonly name: string
  readonly publicUrl: string | null
  readonly now: Date
}

interface Missed {
  readonly incident: number
  readonly kind: 'down' | 'flapping' | 'moved'
  readonly outage: number | null
  readonly started_at: string
  readonly ended_at: string | null
  readonly reason: string
  readonly web: { readonly id: number; readonly fqdn: string; readonly customer: string }
  readonly node: string | null
}

interface Summary {
  readonly content: AlertContent
  readonly event: AlertEvent
  readonly incidents: number[]
  /** When the newest of the alerts was written. */
  readonly created_at: Date
}

/** What a summary says of the alerts that it replaces, as of now. */
export async function composeSummary(
  tx: Transaction,
  summary: number,
  { name, publicUrl, now }: Options,
): Promise<Summary> {
  const missed = await readMissed(tx, summary)
  const others = await readOthers(tx, summary)
  const open = missed.incidents.filter(({ ended_at }) => ended_at === null)
  const resolved = missed.incidents.filter(({ ended_at }) => ended_at !== null)
  const links = linksTo(publicUrl)
  const line = ({ web, incident, started_at, ended_at }: Missed) => {
    const ms = (ended_at === null ? now : new Date(ended_at)).getTime() - Date.parse(started_at)
    const duration = formatDuration(Math.max(0, Math.round(ms / 1000)))
    const { url } = links.incident(incident)
    const times = ended_at === null ? `for ${duration}` : `lasted ${duration}`
    return `${web.fqdn} (${web.customer}): since ${formatMoment(new Date(started_at))}, ${times}${url === undefined ? '' : ` ${url}`}`
  }
  const list = (title: string, all: readonly string[]) =>
    all.length === 0 ? [] : [`${title}: ${all.length}`, ...truncateList(all)]
  return {
    content: {
      title: `${missed.count} alerts while ${name} could not be reached`,
      lines: [
        `The first of them: ${formatMoment(missed.since ?? now)}`,
        ...list('Still open', open.map(line)),
        ...list('Resolved meanwhile', resolved.map(line)),
        ...list('Other messages', others),
      ],
      ...links.incidents,
    },
    event: {
      type: 'summary',
      severity: open.some(({ kind }) => kind === 'down') ? 'critical' : open.length > 0 ? 'warning' : 'info',
      incidents: missed.incidents.map((one) => presentMissed(one, publicUrl)),
    },
    incidents: missed.incidents.map(({ incident }) => incident),
    created_at: missed.until ?? now,
  }
}

async function readMissed(tx: Transaction, summary: number) {
  const [counted] = await tx
    .select({ count: count(), since: min(alerts.created_at), until: max(alerts.created_at) })
    .from(alerts)
    .where(eq(alerts.summary_id, summary))
  const { rows } = await tx.execute<{ missed: Missed }>(sql`
    select json_build_object('incident', i.id, 'kind', i.kind, 'outage', i.outage_id, 'started_at', i.started_at,
      'ended_at', i.ended_at, 'reason', i.reason, 'node', n.name,
      'web', json_build_object('id', w.id, 'fqdn', w.fqdn, 'customer', w.customer)) as missed
    from (select distinct unnest(incidents) as id from ${alerts} where summary_id = ${summary}) about
    join incidents i on i.id = about.id
    join webs w on w.id = i.web_id
    left join nodes n on n.id = w.node_id
    order by i.started_at, i.id`)
  return {
    count: counted?.count ?? 0,
    since: counted?.since ?? null,
    until: counted?.until ?? null,
    incidents: rows.map(({ missed }) => missed),
  }
}

/** The titles of alerts that are about no incident, such as certificates. */
async function readOthers(tx: Transaction, summary: number): Promise<readonly string[]> {
  const rows = await tx
    .select({ title: sql<string>`${alerts.content} ->> 'title'` })
    .from(alerts)
    .where(sql`${eq(alerts.summary_id, summary)} and ${alerts.incidents} = '{}'`)
    .orderBy(alerts.id)
  return rows.map(({ title }) => title)
}

const presentMissed = (one: Missed, publicUrl: string | null) =>
  toAlertedIncident(
    {
      incident: one.incident,
      kind: one.kind,
      outage: one.outage,
      web: {
        ...one.web,
        node: one.node === null ? null : { id: 0, name: one.node },
        channels: [],
      },
      host: null,
      startedAt: new Date(one.started_at),
      status: null,
      reason: one.reason,
      ...(one.ended_at !== null && { endedAt: new Date(one.ended_at), downtime: 0, unmonitored: 0 }),
    },
    publicUrl,
  )
