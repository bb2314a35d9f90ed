import type { GridLanguage } from '@kustos/contract/grid'
import type { CurrentUser } from '@kustos/contract/users'
import { type EvaluatedList, filterKey, notificationObstacle } from '@kustos/contract/views'
import type { Transaction } from '@kustos/database/client'
import { viewSubscriptions, views } from '@kustos/database/tables'
import { asc, eq, inArray } from 'drizzle-orm'
import { DomainError } from '../platform/errors.ts'
import { findUserWithPermissionsInTransaction, lockPermissionsOf } from '../users/index.ts'
import { maySeeView } from '../views/index.ts'
import { dependsOnLanguage, type GridScope, lacksFilteredColumn } from './grids.ts'
import { scopeOf } from './rows.ts'

export type Subscription = typeof viewSubscriptions.$inferSelect
export type ViewRow = typeof views.$inferSelect

/** What is evaluated once for all users of whom it is the same. */
export interface EvaluationKey {
  readonly list: EvaluatedList
  readonly scope: string
  /** Empty if the rows do not depend on it. */
  readonly language: GridLanguage | ''
  readonly filter: string
}

/** @returns null if the user may not see the view or its rows, or if the server cannot evaluate it */
export function evaluationKeyOf(
  actor: CurrentUser,
  view: ViewRow,
  { language }: Pick<Subscription, 'language'>,
  gridScope: GridScope,
): EvaluationKey | null {
  const query = [...new URLSearchParams(view.query)]
  if (!maySeeView(actor, view) || notificationObstacle(view.list, query) !== null) return null
  const list = view.list as EvaluatedList
  const scope = scopeOf(actor, list, view.query)
  if (scope === null || lacksFilteredColumn(list, view.query, gridScope)) return null
  return {
    list,
    scope,
    language: dependsOnLanguage(list, query) ? language : '',
    filter: filterKey(query),
  }
}

export const isSameKey = (a: EvaluationKey | null, b: EvaluationKey): boolean =>
  a !== null && a.scope === b.scope && a.language === b.language && a.filter === b.filter

/** All subscriptions with their users as of now; null for deleted ones. */
export async function readSubscribers(db: Transaction) {
  const rows = await db
    .select({ subscription: viewSubscriptions, view: views })
    .from(viewSubscriptions)
    .innerJoin(views, eq(views.id, viewSubscriptions.view_id))
    .orderBy(asc(viewSubscriptions.user_id), asc(viewSubscriptions.id))
  const actors = new Map<number, CurrentUser | null>()
  for (const { subscription } of rows) {
    const { user_id: id } = subscription
    if (!actors.has(id)) actors.set(id, await findUserWithPermissionsInTransaction({ db }, id))
  }
  return rows.map((row) => ({ ...row, actor: actors.get(row.subscription.user_id) ?? null }))
}

/** The subscriptions, locked until the transaction ends, without those that were ended meanwhile. */
export const lockSubscriptions = (db: Transaction, ids: readonly number[]): Promise<Subscription[]> =>
  db
    .select()
    .from(viewSubscriptions)
    .where(inArray(viewSubscriptions.id, [...ids]))
    .orderBy(asc(viewSubscriptions.id))
    .for('update')

/** A user with the current permissions, which stay as they are until the transaction ends; null if unknown or deleted. */
export async function lockSubscriber(db: Transaction, id: number): Promise<CurrentUser | null> {
  const user = await findUserWithPermissionsInTransaction({ db }, id)
  if (user === null) return null
  try {
    await lockPermissionsOf({ db }, user)
    return user
  } catch (error) {
    // Permissions were taken away this moment: the next evaluation knows which.
    if (error instanceof DomainError && error.kind === 'forbidden') return null
    throw error
  }
}
