import type { Finding, TrackingVisit } from '@kustos/contract/tracking'
import {
  addedFields,
  type ContractField,
  type ContractSettings,
  contractFields,
  noContractSettings,
} from '@kustos/contract/tracking-contracts/states'
import type { Transaction } from '@kustos/database/client'
import {
  customers,
  type StoredContract,
  trackingAudits,
  trackingContracts,
  trackingExceptions,
  webs,
} from '@kustos/database/tables'
import { and, eq, gt, or, type SQL, sql } from 'drizzle-orm'
import { isAnyOf } from '../platform/is-any-of.ts'
import { replacedIds } from './describe.ts'
import type { AllowedDifference } from './judge.ts'
import { type Observation, observe } from './observe.ts'

/** What applies to a web. */
export interface JudgedBy {
  readonly contract: ContractSettings
  readonly exceptions: readonly AllowedDifference[]
}

/** All fields of stored settings. */
export const toSettings = (stored: StoredContract): ContractSettings => ({ ...noContractSettings, ...stored })

/** The fields of a web, and where it has none those of its customer. Some lists have both. */
export const mergeSettings = (own: StoredContract, inherited: StoredContract): ContractSettings =>
  toSettings({
    ...inherited,
    ...own,
    ...Object.fromEntries(
      addedFields.flatMap((field) => {
        const both = [...(inherited[field] ?? []), ...(own[field] ?? [])]
        return own[field] === undefined ? [] : [[field, [...new Set(both)]]]
      }),
    ),
  })

export const hasAgreements = (settings: ContractSettings): boolean =>
  contractFields.some((field) => settings[field] !== null)

/** The fields that are set. */
export const fieldsOf = (stored: StoredContract): readonly ContractField[] =>
  contractFields.filter((field) => stored[field] !== undefined)

/** The contracts and the exceptions of webs, by web; without those that have no contract. */
export async function loadJudgedBy(
  db: Transaction,
  webIds: readonly number[],
  now: Date,
): Promise<ReadonlyMap<number, JudgedBy>> {
  const levels = await db
    .select({
      web: webs.id,
      isOwn: sql<boolean>`${trackingContracts.web_id} is not null`,
      settings: trackingContracts.settings,
    })
    .from(webs)
    .leftJoin(customers, eq(customers.code, webs.customer))
    .innerJoin(
      trackingContracts,
      or(eq(trackingContracts.web_id, webs.id), eq(trackingContracts.customer_id, customers.id)),
    )
    .where(isAnyOf(webs.id, webIds))
  if (levels.length === 0) return new Map()
  const exceptions = await db
    .select({
      web: webs.id,
      key: trackingExceptions.key,
      until: trackingExceptions.until,
      code: trackingExceptions.difference_code,
      params: trackingExceptions.difference_params,
    })
    .from(webs)
    .leftJoin(customers, eq(customers.code, webs.customer))
    .innerJoin(
      trackingExceptions,
      or(eq(trackingExceptions.web_id, webs.id), eq(trackingExceptions.customer_id, customers.id)),
    )
    .where(and(isAnyOf(webs.id, webIds), gt(trackingExceptions.until, now)))
  const exceptionsOf = Map.groupBy(exceptions, ({ web }) => web)
  const judgedBy = [...Map.groupBy(levels, ({ web }) => web)].map(([web, ofWeb]) => {
    const settingsOf = (isOwn: boolean) => ofWeb.find((level) => level.isOwn === isOwn)?.settings ?? {}
    const contract = mergeSettings(settingsOf(true), settingsOf(false))
    const allowed = (exceptionsOf.get(web) ?? []).map(({ key, until, code, params }) => ({
      key,
      until,
      replaces: replacedIds({ code, params }),
    }))
    return [web, { contract, exceptions: allowed }] as const
  })
  return new Map(judgedBy.filter(([, { contract }]) => hasAgreements(contract)))
}

/** A stored audit in the terms of contracts. */
export interface StoredObservation {
  readonly web: number
  readonly fqdn: string
  readonly audit: number
  readonly audited_at: Date
  readonly observation: Observation
}

/**
 * The latest audits of webs that could read the page, complete ones if `complete`.
 * @param which a condition on webs
 */
export async function readLatestObservations(
  db: Transaction,
  which: SQL | undefined,
  { complete = false }: { readonly complete?: boolean } = {},
): Promise<readonly StoredObservation[]> {
  const isFit = complete ? wasComplete : sql`outcome <> 'failed'`
  const latest = sql`(select max(id) from ${trackingAudits} where web_id = ${webs.id} and ${isFit})`
  const rows = await db
    .select({
      web: webs.id,
      fqdn: webs.fqdn,
      host: webs.fqdn_ascii,
      audit: trackingAudits.id,
      audited_at: trackingAudits.audited_at,
      wasComplete,
      findings: trackingAudits.findings,
      visit: trackingAudits.visit,
      hadVisit: hadVisit(sql`${webs.id}`),
    })
    .from(webs)
    .innerJoin(trackingAudits, eq(trackingAudits.id, latest))
    .where(which)
    .orderBy(webs.id)
  return rows.map((row) => ({
    web: row.web,
    fqdn: row.fqdn,
    audit: row.audit,
    audited_at: row.audited_at,
    observation: observe({
      host: row.host,
      findings: row.findings as Finding[],
      visit: row.visit as TrackingVisit | null,
      isComplete: row.wasComplete && (row.visit !== null || !row.hadVisit),
    }),
  }))
}

/** Whether an audit has read everything that can contain a tracker. Of those of older releases it is only known that nothing was left. */
export const wasComplete = sql<boolean>`coalesce(${trackingAudits.is_complete}, ${trackingAudits.outcome} = 'seen')`

/** Whether a browser has visited the web: without one, an audit no longer shows what only that has seen. */
export const hadVisit = (web: SQL): SQL<boolean> =>
  sql<boolean>`exists (select from ${trackingAudits} earlier where earlier.web_id = ${web} and earlier.visit is not null)`
