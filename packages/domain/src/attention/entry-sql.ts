import { type AttentionKind, attentionKinds } from '@kustos/contract/attention'
import { englishText } from '@kustos/contract/messages/english'
import type { reasonMessages } from '@kustos/contract/messages/reasons'
import type { CurrentUser } from '@kustos/contract/users'
import { type SQL, sql } from 'drizzle-orm'

/** What the queries of entries need to know. */
export interface EntryScope {
  readonly now: Date
  /** The part of a host name that marks the operator's own; empty for none. */
  readonly internalMarker: string
  /** Null sees no personal entries. */
  readonly actor: CurrentUser | null
}

/** The columns of an entry and their types, for those that a kind does not have. */
const columns = {
  subject_id: 'int',
  since: 'timestamptz(3)',
  /** When it becomes an entry, which may be ahead. */
  due_at: 'timestamptz(3)',
  subject: 'text',
  web_id: 'int',
  customer: 'text',
  node: 'text',
  deployment_kind: 'text',
  until: 'timestamptz(3)',
  framework: 'text',
  services: 'text[]',
  /** The view that rows have entered, how many, and the names of the newest. */
  view_id: 'int',
  view_list: 'text',
  entered: 'int',
  entered_names: 'text[]',
  reason: 'text',
  reason_code: 'text',
  reason_params: 'jsonb',
  incident_id: 'int',
  /** The outage that explains it, its node, and how many webs there are down and monitored. A node may have several outages. */
  group_id: 'int',
  outage_node: 'int',
  down: 'int',
  monitored: 'int',
} as const

type Columns = { readonly [Column in keyof typeof columns]?: SQL } & Readonly<
  Record<'subject_id' | 'since', SQL>
>

/** A query of the entries of a kind. @param from continues the select, from its `from` on */
export const selectEntries = (kind: AttentionKind, given: Columns, from: SQL): SQL => {
  const all: Columns = { due_at: given.since, ...given }
  const list = Object.entries(columns).map(
    ([name, type]) => sql`(${all[name as keyof Columns] ?? sql`null`})::${sql.raw(`${type} as ${name}`)}`,
  )
  // A number, because texts are slow to sort.
  const urgency = sql`${attentionKinds.indexOf(kind)}::int as urgency`
  return sql`select ${kind}::text as kind, ${urgency}, ${sql.join(list, sql`, `)} ${from}`
}

export const time = (at: Date): SQL => sql`${at.toISOString()}::timestamptz`

/** Entries that will be due within this time are read too, so that the response says when the list changes next. */
export const horizonMs = 24 * 3_600_000
export const horizon = ({ now }: EntryScope): SQL => time(new Date(now.getTime() + horizonMs))

/**
 * An end has two stages: some time before it, and once it is over. Each is an occurrence of its own.
 * @param days at most this many before it
 * @param lead how long before it; `days` by default
 */
export const stages = (
  scope: EntryScope,
  end: SQL,
  days: number,
  lead: SQL = sql`${days} * interval '1 day'`,
): SQL => sql`
  lateral (values (${end} - ${lead}), (${end})) stage (since)
  where ${end} <= ${horizon(scope)} + ${days} * interval '1 day' and stage.since <= ${horizon(scope)}
    and (stage.since = ${end} or ${end} > ${time(scope.now)})`

/** The columns of a reason of our own. */
export const reasonOf = (
  code: Extract<keyof typeof reasonMessages, `monitoring_${string}` | `deployment_${string}`>,
): { reason: SQL; reason_code: SQL } => ({
  reason: sql`${englishText({ code })}`,
  reason_code: sql`${code}`,
})

/** The columns of the message in `table.field`. */
export const reasonIn = (table: string, field: string) => ({
  reason: sql.raw(`${table}.${field}`),
  reason_code: sql.raw(`${table}.${field}_code`),
  reason_params: sql.raw(`${table}.${field}_params`),
})
