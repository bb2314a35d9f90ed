import { domainStatus, webStatus } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import { webs } from '@kustos/database/tables'
import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm'

/**
 * The webs of the monitoring list: the contract's `isListed`, as SQL.
 * @param internalMarker the part of a host name that marks the operator's own; empty for none
 */
export const listedWebs = (internalMarker: string): SQL | undefined =>
  and(eq(webs.domain_status, domainStatus.online), deliveredWebs(internalMarker))

/** The same, wherever their domains point to. */
const deliveredWebs = (internalMarker: string): SQL | undefined =>
  and(
    isNull(webs.deleted_at),
    eq(webs.status, webStatus.active),
    internalMarker === '' ? undefined : sql`strpos(${webs.fqdn}, ${internalMarker}) = 0`,
  )

/** Those of them that are probed. */
export const monitoredWebs = (internalMarker: string): SQL | undefined =>
  and(listedWebs(internalMarker), eq(webs.monitoring_web_active, true))

/** Those that count as monitored: also those whose domain has moved away, as in their uptime. */
export const countedWebs = (internalMarker: string): SQL | undefined =>
  and(
    deliveredWebs(internalMarker),
    eq(webs.monitoring_web_active, true),
    or(eq(webs.domain_status, domainStatus.online), sql.raw(hasMoved('webs'))),
  )

const hasMoved = (web: string): string => `exists (
  select from incidents moved where moved.web_id = ${web}.id and moved.kind = 'moved' and moved.ended_at is null)`

/**
 * The SQL of since when a web is down, null while it is up. What the last round has stored says nothing about one that is no longer
 * monitored.
 * @param web the alias of its table
 */
export const downSince = (web: string): string => `case when ${web}.monitoring_web_active
  and ${web}.status = ${webStatus.active}
  and (${web}.domain_status = ${domainStatus.online} or (${web}.down_since is not null and ${hasMoved(web)}))
  then ${web}.down_since end`

/** The ids of webs that are probed, or would be if their domain pointed here. */
export const watchedWebIds = (tx: Transaction, internalMarker: string) =>
  tx
    .select({ id: webs.id })
    .from(webs)
    .where(and(deliveredWebs(internalMarker), eq(webs.monitoring_web_active, true)))
