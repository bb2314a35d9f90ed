import { domainStatus, webStatus } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import { incidents, webs } from '@kustos/database/tables'
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
  or(
    monitoredWebs(internalMarker),
    and(
      isNull(webs.deleted_at),
      sql`${webs.id} in (select m.web_id from ${incidents} m where m.kind = 'moved' and m.ended_at is null)`,
    ),
  )

/** The ids of webs that are probed, or would be if their domain pointed here. */
export const watchedWebIds = (tx: Transaction, internalMarker: string) =>
  tx
    .select({ id: webs.id })
    .from(webs)
    .where(and(deliveredWebs(internalMarker), eq(webs.monitoring_web_active, true)))
