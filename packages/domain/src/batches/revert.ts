import type { BatchAction } from '@kustos/contract/batches'
import { type Message, message } from '@kustos/contract/messages'
import type { Transaction } from '@kustos/database/client'
import { batches, logEntries, webs } from '@kustos/database/tables'
import { and, eq, sql } from 'drizzle-orm'
import { readOwnChecks, shownCheck } from '../checks/index.ts'
import { chunk } from '../platform/chunk.ts'
import type { Context } from '../platform/context.ts'
import { conflict, DomainError } from '../platform/errors.ts'
import { isAnyOf } from '../platform/is-any-of.ts'
import {
  isAsLogged,
  type LoggedChange,
  readLastRemovals,
  readLastTouches,
  rejectOutdatedRevert,
  rejectSupersededRevert,
} from '../platform/logged-change.ts'
import { readMergedCodes, rejectRevertToMergedCode } from '../platform/merged-codes.ts'
import { readLoggedWebs } from '../webs/index.ts'
import { findRefusals, type SkippedWeb } from './refusals.ts'

/** What a batch has changed in webs or their checks, as it is logged, by web. */
export async function readChanges(
  db: Transaction,
  batch: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, LoggedChange>> {
  const rows = await db
    .select({
      id: logEntries.id,
      created_at: logEntries.created_at,
      web: logEntries.subject_id,
      description: logEntries.description,
      properties: logEntries.properties,
    })
    .from(logEntries)
    .where(
      and(
        eq(logEntries.subject_type, 'web'),
        isAnyOf(logEntries.subject_id, ids),
        // Spares older entries, of which there are many. The clocks of workers may differ a little.
        sql`${logEntries.created_at} >= (
          select ${batches.created_at} - interval '1 hour' from ${batches} where ${batches.id} = ${batch})`,
        sql`${logEntries.properties} #>> '{attributes,batch}' = ${String(batch)}`,
      ),
    )
    .orderBy(logEntries.created_at, logEntries.id)
  // The latest counts, if a retry has changed a web again.
  return new Map(
    rows.map(({ id, created_at, web, description, properties: { old = {}, attributes = {} } }) => [
      Number(web),
      { id, created_at, description, old, attributes },
    ]),
  )
}

interface Revert {
  readonly action: BatchAction
  /** The batch whose changes it takes back. */
  readonly batch: number
  /** Whether the reasons name who has changed a web since, which takes two queries for each of them. */
  readonly namesCauser: boolean
}

/** As `findRefusals`, for an action that takes back what a batch has changed. */
export async function findRevertRefusals(
  context: Pick<Context, 'actor' | 'now'>,
  db: Transaction,
  revert: Revert,
  ids: readonly number[],
): ReturnType<typeof findRefusals> {
  const { eligible, skipped } = await findRefusals(context, db, { action: revert.action, webs: ids })
  const changed = await findChangedSince(db, revert, eligible)
  const kept = new Set(changed.map(({ web_id }) => web_id))
  return { eligible: eligible.filter((web) => !kept.has(web)), skipped: [...skipped, ...changed] }
}

/** Of webs and checks that a batch has changed, those whose change can't be taken back, because they have changed since. */
async function findChangedSince(
  db: Transaction,
  revert: Revert,
  ids: readonly number[],
): Promise<SkippedWeb[]> {
  const reasons = new Map<number, Message>()
  for (const some of chunk(ids)) {
    const changes = await readChanges(db, revert.batch, some)
    const check = await checkerOf(db, revert, some, changes)
    for (const id of some) {
      const made = changes.get(id)
      const reason = made ? await findConflict(() => check(id, made)) : message('change_not_revertible')
      if (reason !== null) reasons.set(id, reason)
    }
  }
  const names = await db
    .select({ id: webs.id, fqdn: webs.fqdn })
    .from(webs)
    .where(isAnyOf(webs.id, [...reasons.keys()]))
  const fqdns = new Map(names.map(({ id, fqdn }) => [id, fqdn]))
  return [...reasons].map(([id, reason]) => ({ web_id: id, fqdn: fqdns.get(id) ?? null, reason }))
}

/** @returns a function that throws DomainError conflict for a web whose logged change can't be taken back */
async function checkerOf(
  db: Transaction,
  { action, namesCauser }: Revert,
  ids: readonly number[],
  changes: ReadonlyMap<number, LoggedChange>,
) {
  const rejectUnlessNamed = () => {
    if (!namesCauser) throw conflict('change_not_revertible')
  }
  if (action !== 'edit' && action !== 'changeCheck') {
    const last = await readLastRemovals({ db }, 'web', ids)
    return async (id: number, made: LoggedChange) => {
      if (last.get(id) === made.id) return
      rejectUnlessNamed()
      await rejectSupersededRevert({ db }, { type: 'web', id }, made.id)
    }
  }
  const current = action === 'edit' ? await readLoggedWebs({ db }, ids) : await readLoggedChecks(db, ids)
  const merged = await readMergedCodes(db)
  const last = await readLastTouches({ db }, 'web', changes, logged[action])
  return async (id: number, made: LoggedChange) => {
    const now = { ...current.get(id) }
    const { customer } = made.old
    if (typeof customer === 'string' && merged.has(customer)) await rejectRevertToMergedCode({ db }, customer)
    const isSame = isAsLogged(now, made)
    if (isSame && last.get(id) === made.id) return
    if (!isSame) rejectUnlessNamed()
    await rejectOutdatedRevert({ db }, { type: 'web', id }, now, made, logged[action])
  }
}

/** The entries that name who has changed a web or its check last. */
const logged = { edit: undefined, changeCheck: ['check changed'] } as const

const readLoggedChecks = async (db: Transaction, ids: readonly number[]) => {
  const own = await readOwnChecks(db, ids)
  return new Map(ids.map((id) => [id, shownCheck(own.get(id) ?? {})]))
}

async function findConflict(work: () => Promise<void>): Promise<Message | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof DomainError) return error.codedMessage
    throw error
  }
}
