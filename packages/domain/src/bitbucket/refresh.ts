import { type Bitbucket, BitbucketError, type BitbucketRepository } from '@kustos/clients/bitbucket'
import type { Transaction } from '@kustos/database/client'
import { repositories, repositorySyncs } from '@kustos/database/tables'
import { inArray, sql } from 'drizzle-orm'
import { takeTurn } from '../alone.ts'
import type { Context } from '../context.ts'
import { upstream } from '../errors.ts'
import { portions } from '../portions.ts'
import { linkWebs } from './link.ts'
import { readSync, type Sync } from './read.ts'
import { type RepositoryRow, rowOf } from './remember.ts'

/** What a refresh has moved. */
export interface Refreshed {
  readonly repositories: number
  readonly added: number
  readonly changed: number
  readonly removed: number
}

/**
 * How far Bitbucket's clock and ours may differ, in milliseconds; a repository that is younger than the question may be
 * missing in the answer.
 */
const clocksDiffer = 60_000

/**
 * Asks Bitbucket for the whole list and puts it in the place of the cached one, in one transaction or not at all. Both
 * ways the outcome is kept. This is no change by staff, so that it is not in the audit log.
 *
 * @throws DomainError upstream where Bitbucket does not give its list, or none of it; the cached one stays
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
    throw upstream(error.message)
  }
  const outcome = await inTurn(context, async (tx, before) => {
    const none = { repositories: list.length, added: 0, changed: 0, removed: 0 }
    // Somebody who asked later was faster.
    if (before.succeededAt !== null && before.succeededAt > asked) return none
    const moved = await replace(tx, list.map(rowOf), asked)
    if (moved === null) return null
    await linkWebs(tx)
    await keep(tx, { succeeded_at: asked, error: null })
    if (before.error !== null) await tellScreens(tx)
    return { ...none, ...moved }
  })
  if (outcome !== null) return outcome
  await keepFailure(context, asked, sawNothing)
  throw upstream(sawNothing)
}

/** Bitbucket lists what the token may read; one that may read nothing any more gets an empty list and no error. */
const sawNothing =
  'Bitbucket shows no repository at all any more. Check what the token in BITBUCKET_TOKEN may read.'

/**
 * Touches the rows that differ and no others: each statement on the table is told to the open screens.
 * @returns null, and touches nothing, where the whole list would go
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
    ({ name, created_on }) => !kept.has(name) && created_on.getTime() < asked.getTime() - clocksDiffer,
  )
  for (const rows of portions([...added, ...changed])) {
    await tx
      .insert(repositories)
      .values(rows)
      .onConflictDoUpdate({ target: repositories.name, set: excluded })
  }
  for (const rows of portions(removed)) {
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

/** There is no log entry to write, so that this is a transaction and no `change`. */
function inTurn<T>({ db }: Context, work: (tx: Transaction, before: Sync) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await takeTurn(tx, 'repositories')
    return work(tx, await readSync({ db: tx }))
  })
}

async function keep(tx: Transaction, columns: Partial<typeof repositorySyncs.$inferInsert>): Promise<void> {
  await tx
    .insert(repositorySyncs)
    .values({ id: 1, ...columns })
    .onConflictDoUpdate({ target: repositorySyncs.id, set: columns })
}

/** Whether the list is stale shows on the screen as well; the table's own trigger knows nothing of it. */
async function tellScreens(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_notify('kustos', json_build_object('list', 'repositories')::text)`)
}
