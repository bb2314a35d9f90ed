import type { ContractState } from '@kustos/contract/tracking-contracts/states'
import { trackingFreshnessSeconds } from '@kustos/contract/webs'
import { trackingAudits } from '@kustos/database/tables'
import { type SQL, sql } from 'drizzle-orm'
import { hadVisit, wasComplete } from './load.ts'

/** The latest audit of a web that could be judged. */
export interface JudgedAudit {
  readonly at: string
  /** Only then is something known to be missing. */
  readonly is_complete: boolean
  /** Whether a later one has failed. */
  readonly has_failed_since: boolean
}

/** For queries of several tables, in which names of columns have those of their tables. */
export const judgedAuditOf = (web: SQL): SQL<JudgedAudit | null> =>
  sql`(select json_build_object(
    'at', ${trackingAudits.audited_at},
    'is_complete', ${wasComplete} and (${trackingAudits.visit} is not null or not ${hadVisit(web)}),
    'has_failed_since', exists (
      select from ${trackingAudits} later where later.web_id = ${web} and later.id > ${trackingAudits.id}))
    from ${trackingAudits}
    where ${trackingAudits.web_id} = ${web} and ${trackingAudits.outcome} <> 'failed'
    order by ${trackingAudits.id} desc limit 1)`

interface Judged {
  /** Null if none was judged. */
  readonly audit: JudgedAudit | null
  /** The numbers of differences that are confirmed, and that are not yet. */
  readonly confirmed: number
  readonly pending: number
}

/** A web keeps its contract only if that was seen lately. */
export function stateOf({ audit, confirmed, pending }: Judged, now: Date): ContractState {
  if (confirmed > 0) return 'differs'
  if (pending > 0) return 'pending'
  if (audit === null || audit.has_failed_since) return 'unknown'
  return now.getTime() - Date.parse(audit.at) > trackingFreshnessSeconds * 1000 ? 'unknown' : 'keeps'
}

/** What is shown of the audit that a state is from. */
export const presentAudit = (audit: JudgedAudit | null) => ({
  audited_at: audit && new Date(audit.at).toISOString(),
  is_complete: audit?.is_complete ?? null,
})
