import type { Transaction } from '@kustos/database/client'
import { alertEscalations } from '@kustos/database/tables'
import { isAnyOf } from '../platform/is-any-of.ts'
import { type Responder, readResponders } from '../rotas/index.ts'

/** Whom routes alert, besides or instead of a web's own channels. */
export interface RoutedTargets {
  /** Whether the web's own channels get nothing. */
  readonly replacesChannels: boolean
  /** Ids. */
  readonly channels: readonly number[]
  /** The mail addresses of users on call. */
  readonly mails: readonly string[]
}

/** Whom a route has notified, as it is stored. */
export interface StoredTargets {
  readonly replaces_channels: boolean
  readonly channel_ids: number[]
  readonly user_ids: number[]
}

/** Whom the routes of incidents have notified so far, by the incident's id: they are notified of its end, too. */
export async function readNotifiedTargets(
  db: Transaction,
  ids: readonly number[],
): Promise<ReadonlyMap<number, RoutedTargets>> {
  const rows =
    ids.length === 0
      ? []
      : await db
          .select()
          .from(alertEscalations)
          .where(isAnyOf(alertEscalations.incident_id, [...ids]))
  if (rows.length === 0) return new Map()
  const targetsOf = await readStoredTargets(db, rows)
  return new Map(
    [...Map.groupBy(rows, ({ incident_id }) => incident_id)].map(([incident, ofIncident]) => [
      incident,
      targetsOf(ofIncident),
    ]),
  )
}

/** @returns a function for the targets of some of the rows, as far as their users may still see incidents */
export async function readStoredTargets(
  db: Transaction,
  rows: readonly StoredTargets[],
): Promise<(some: readonly StoredTargets[]) => RoutedTargets> {
  const hasUsers = rows.some(({ user_ids: ids }) => ids.length > 0)
  const responders: ReadonlyMap<number, Responder> = hasUsers ? await readResponders(db) : new Map()
  return (some) => ({
    replacesChannels: some.some((row) => row.replaces_channels),
    channels: distinct(some.flatMap((row) => row.channel_ids)),
    mails: distinct(some.flatMap((row) => row.user_ids)).flatMap((id) => responders.get(id)?.email ?? []),
  })
}

/**
 * Lets the own channels of webs be notified of the end of incidents that are announced again, unless routes replace them each time.
 * @param again ids of these incidents
 * @param replacing those whose routes replace the channels now
 * @returns the ids of those whose channels are notified
 */
export async function keepChannels(
  db: Transaction,
  again: readonly number[],
  replacing: ReadonlySet<number>,
): Promise<ReadonlySet<number>> {
  const notified = await readNotifiedTargets(db, again)
  const kept = again.filter((id) => !replacing.has(id) || notified.get(id)?.replacesChannels !== true)
  if (kept.length > 0)
    await db
      .update(alertEscalations)
      .set({ replaces_channels: false })
      .where(isAnyOf(alertEscalations.incident_id, kept))
  return new Set(kept)
}

const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)]
