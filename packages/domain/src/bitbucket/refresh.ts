import { type Bitbucket, BitbucketError, type BitbucketRepository } from '@kustos/clients/bitbucket'
import type { Transaction } from '@kustos/database/client'
import { repositories, repositorySyncs } from '@kustos/database/tables'
import { inArray, sql } from 'drizzle-orm'
import { chunk } from '../platform/chunk.ts'
import type { Context } from '../platform/context.ts'
import { upstream } from '../platform/errors.ts'
import { lockInTransaction } from '../platform/locks.ts'
import { linkWebs } from './link.ts'
import { readSync, type Sync } from './read.ts'
import { type RepositoryRow, rowOf } from './remember.ts'

export interface Refreshed {
  readonly repositories: number
  readonly added: number
  readonly changed: number
  readonly removed: number
}

/** A repository that was created just before the list was read may be missing in it; the clocks may differ. */
const clockToleranceMs = 60_000

/**
 * Replaces the cached list with that of Bitbucket in one transaction, and stores the outcome.
 * @throws DomainError upstream if Bitbucket does not answer or lists nothing; the cached list is kept then
 */
export async function refreshRepositories(
  context: Context,
  bitbucket: Bitbucket,
  signal?: AbortSignal,
): Promise<Refreshed> {
  const asked = context.now()
  let list: readonly BitbucketRepository[]
  try {
    list = await bitbucket.list(signal)
  } catch (error) {
    if (!(error instanceof BitbucketError)) throw error
    await keepFailure(context, asked, error.message)
    throw upstream('service_failed', { reason: error.message })
  }
  const outcome = await inTurn(context, async (tx, before) => {
    const none = { repositories: list.length, added: 0, changed: 0, removed: 0 }
    // A later request has already been answered.
    if (before.succeededAt !== null && before.succeededAt > asked) return none
    const moved = await replace(tx, list.map(rowOf), asked)
    if (moved === null) return null
    await linkWebs(tx)
    await keep(tx, { succeeded_at: asked, error: null })
    if (before.error !== null) await tellScreens(tx)
    return { ...none, ...moved }
  })
  if (outcome !== null) return outcome
  // A token without rights leads to an empty list rather than to an error.
  const failure = upstream('bitbucket_empty')
  await keepFailure(context, asked, failure.message)
  throw failure
}

/**
 * Writes only the rows that differ, since every statement updates the open screens.
 * @returns null if the whole list would be removed; nothing is changed then
 */
async function replace(tx: Transaction, wanted: readonly RepositoryRow[], asked: Date) {
  const cached = new Map((await tx.select().from(repositories)).map((row) => [row.name, row]))
  if (wanted.length === 0 && cached.size > 0) return null
  const added = wanted.filter(({ name }) => !cached.has(name))
  const changed = wanted.filter((row) => {
    const old = cached.get(row.name)
    return old !== undefined && fingerprint(old) !== fingerprint(row)
  })
  const kept = new Set(wanted.map(({ name }) => name))
  const removed = [...cached.values()].filter(
    ({ name, created_on }) => !kept.has(name) && created_on.getTime() < asked.getTime() - clockToleranceMs,
  )
  for (const rows of chunk([...added, ...changed])) {
    await tx
      .insert(repositories)
      .values(rows)
      .onConflictDoUpdate({ target: repositories.name, set: excluded })
  }
  for (const rows of chunk(removed)) {
    await tx.delete(repositories).where(
      inArray(
        repositories.name,
        rows.map(({ name }) => name),
      ),
    )
  }
  return { added: added.length, changed: changed.length, removed: removed.length }
}

const fingerprint = (row: RepositoryRow): string =>
  JSON.stringify([
    row.project_key,
    row.project_name,
    row.description,
    row.fork_policy,
    row.html_url,
    row.clone_url,
    row.created_on,
    row.updated_on,
  ])

const excluded = {
  project_key: sql`excluded.project_key`,
  project_name: sql`excluded.project_name`,
  description: sql`excluded.description`,
  fork_policy: sql`excluded.fork_policy`,
  html_url: sql`excluded.html_url`,
  clone_url: sql`excluded.clone_url`,
  created_on: sql`excluded.created_on`,
  updated_on: sql`excluded.updated_on`,
}

async function keepFailure(context: Context, asked: Date, error: string): Promise<void> {
  await inTurn(context, async (tx, before) => {
    if (before.succeededAt !== null && before.succeededAt > asked) return
    await keep(tx, { failed_at: asked, error })
    if (before.error === null) await tellScreens(tx)
  })
}

function inTurn<T>({ db }: Context, work: (tx: Transaction, before: Sync) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await lockInTransaction(tx, 'repositories')
    return work(tx, await readSync({ db: tx }))
  })
}

async function keep(tx: Transaction, columns: Partial<typeof repositorySyncs.$inferInsert>): Promise<void> {
  await tx
    .insert(repositorySyncs)
    .values({ id: 1, ...columns })
    .onConflictDoUpdate({ target: repositorySyncs.id, set: columns })
}

/** Updates the open screens, which show whether the list is stale; the table's trigger does not cover that. */
async function tellScreens(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_notify('kustos', json_build_object('list', 'repositories')::text)`)
}
