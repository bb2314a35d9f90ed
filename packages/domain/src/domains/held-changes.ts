import type { Transaction } from '@kustos/database/client'
import type { DnsState } from '@kustos/database/tables'
import { readWebsInMaintenance } from '../maintenance/index.ts'
import { type Records, sameRecords } from './evaluate-answer.ts'
import { keyOf } from './lookups.ts'
import type { DomainOwners } from './owners.ts'
import type { Change, ChangedSet, Reading, ReadSet } from './store-readings.ts'

/** The changes that earlier readings have held back, as they are now. @param current by host and type */
export const readHeld = (
  { held = {} }: DnsState,
  current: ReadonlyMap<string, ReadSet>,
  changed: readonly ChangedSet[],
): readonly ChangedSet[] =>
  Object.entries(held).flatMap(([key, { records, since }]) => {
    const known = current.get(key)
    if (known === undefined) return []
    const now: Records = changed.find((set) => keyOf(set) === key)?.records ?? known.records
    return [{ ...known, records: now, from: { ...known, records }, since: new Date(since) }]
  })

/** The changes that nobody was told of: new ones, and held ones that were not undone. */
export function listUntold({ changed, held }: Reading): readonly ChangedSet[] {
  const earlier = new Set(held.map(keyOf))
  return [...held, ...changed.filter((set) => !earlier.has(keyOf(set)))].filter(
    ({ records, from }) => !sameRecords(records, from.records),
  )
}

/**
 * Holds back the changes of which all websites that they concern are in maintenance.
 * @returns those that are alerted now, and by the ids of their names those that are held, with the end of the maintenance
 */
export async function holdBack(db: Transaction, untold: readonly Change[], now: Date) {
  const ends = untold.length === 0 ? new Map<number, Date>() : await readWebsInMaintenance(db, now)
  const judged = untold.map((change) => ({ ...change, until: heldUntil(change, ends) }))
  const held = judged.flatMap(({ until, ...change }) => (until === null ? [] : [{ ...change, until }]))
  return {
    news: judged.filter(({ until }) => until === null),
    held: Map.groupBy(held, ({ reading }) => reading.id),
  }
}

/** When the first of the websites leaves maintenance; null if one is not in it, and for domains without websites. */
function heldUntil({ set, owners }: Change, ends: ReadonlyMap<number, Date>): Date | null {
  const ofName = concernedWebs(owners, set)
  const untils = (ofName.length > 0 ? ofName : owners.webs).map(({ id }) => ends.get(id)?.getTime())
  const first = Math.min(...untils.map((until) => until ?? 0))
  return untils.length === 0 || first === 0 ? null : new Date(first)
}

/** Name servers concern the websites below a domain, too. */
export const concernedWebs = ({ webs }: DomainOwners, { type }: Pick<ChangedSet, 'type'>) =>
  webs.filter(({ isOfName }) => isOfName || type === 'NS')
