import {
  type ConsentPhase,
  consentPhases,
  type RequestedHost,
  saysDenied,
  type TrackingVisit,
} from '@kustos/contract/tracking'
import { trackingFreshnessSeconds } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import { webThirdParties } from '@kustos/database/tables'
import { and, eq, gte, inArray, lt, notInArray, or, sql } from 'drizzle-orm'
import { chunk } from '../platform/chunk.ts'
import type { Party } from './identify-parties.ts'
import { hostOfStored } from './policy.ts'

/** A host that the reading of a page has found. */
export interface FoundHost extends Party {
  readonly host: string
}

export interface Sightings {
  readonly found: readonly FoundHost[]
  /**
   * Null without a visit in a browser. What known trackers stored before consent or after a refusal counts like a request of
   * theirs.
   */
  readonly visit: TrackingVisit | null
  /** The phases of which the visit saw all on each page, so that what is missing is gone. */
  readonly collected: readonly ConsentPhase[]
  /** Of the web's own domain; it is unknown which services are behind them now. */
  readonly unresolvedHosts: readonly string[]
  /** Whether nothing was left out, so that what is missing is gone. */
  readonly isComplete: boolean
}

type Row = typeof webThirdParties.$inferInsert

/**
 * Stores what a web loads, and removes what an audit has not seen any more, of the phases of which a visit saw all; of others
 * what none has seen for as long as services count as current.
 * @returns the hosts and names of what audits have seen within the time for which services count as current
 */
export async function storeThirdParties(
  db: Transaction,
  webId: number,
  { found, visit, collected, unresolvedHosts, isComplete }: Sightings,
  now: Date,
): Promise<Set<string>> {
  const rows = new Map<string, Row>()
  const add = (
    phase: ConsentPhase | 'static',
    seen: Pick<RequestedHost, 'host' | 'entity' | 'category' | 'alias'> & Pick<Row, 'topic'>,
    is_denied: boolean,
  ): void => {
    const { host, entity = '', category, alias = null, topic = null } = seen
    if (category === undefined) return
    const key = [phase, host, entity].join('\n')
    const known = rows.get(key)
    rows.set(key, {
      web_id: webId,
      phase,
      host,
      entity,
      topic: known?.topic ?? topic,
      category: known?.category ?? category,
      alias: known?.alias ?? alias,
      is_denied: known?.is_denied !== false && is_denied,
      first_seen: now,
      last_seen: now,
    })
  }
  for (const one of found) add('static', one, false)
  for (const one of visit?.asked ?? []) add(one.phase, one, saysDenied(one))
  for (const { topic = null, ...item } of visit?.stored ?? [])
    if (item.phase === 'before' || item.phase === 'refused')
      add(item.phase, { ...item, topic, host: hostOfStored(item, visit?.asked ?? []) }, false)
  const update = Object.fromEntries(
    (['topic', 'category', 'alias', 'is_denied', 'last_seen'] as const).map((column) => [
      column,
      sql.raw(`excluded.${column}`),
    ]),
  )
  for (const batch of chunk([...rows.values()]))
    await db
      .insert(webThirdParties)
      .values(batch)
      .onConflictDoUpdate({
        target: [webThirdParties.web_id, webThirdParties.phase, webThirdParties.host, webThirdParties.entity],
        set: update,
      })
  // A phase that did not come about shows nothing: what was seen in it goes once it no longer counts as current.
  const isOutdated = and(
    inArray(webThirdParties.phase, visit === null ? [] : [...consentPhases]),
    lt(webThirdParties.last_seen, freshSince(now)),
  )
  const isChecked = or(
    inArray(webThirdParties.phase, [...collected]),
    isOutdated,
    isComplete ? eq(webThirdParties.phase, 'static') : undefined,
  )
  await db
    .delete(webThirdParties)
    .where(
      and(
        eq(webThirdParties.web_id, webId),
        lt(webThirdParties.last_seen, now),
        notInArray(webThirdParties.host, [...unresolvedHosts]),
        isChecked,
      ),
    )
  const known = await db
    .select({ host: webThirdParties.host, entity: webThirdParties.entity })
    .from(webThirdParties)
    .where(and(eq(webThirdParties.web_id, webId), gte(webThirdParties.last_seen, freshSince(now))))
  return new Set(known.flatMap(({ host, entity }) => (entity === '' ? [host] : [host, entity])))
}

/** What was seen before this counts as gone, unless an audit says otherwise. */
export const freshSince = (now: Date): Date => new Date(now.getTime() - trackingFreshnessSeconds * 1000)
