import { domainStatus, webStatus } from '@kustos/contract/webs'
import { webs } from '@kustos/database/tables'
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'

/**
 * The webs of the monitoring list: the contract's `isListed`, as SQL.
 * @param internalMarker the part of a host name that marks the operator's own; empty for none
 */
export const listedWebs = (internalMarker: string): SQL | undefined =>
  and(
    isNull(webs.deleted_at),
    eq(webs.status, webStatus.active),
    eq(webs.domain_status, domainStatus.online),
    internalMarker === '' ? undefined : sql`strpos(${webs.fqdn}, ${internalMarker}) = 0`,
  )

/** Those of them that are probed. */
export const monitoredWebs = (internalMarker: string): SQL | undefined =>
  and(listedWebs(internalMarker), eq(webs.monitoring_web_active, true))
