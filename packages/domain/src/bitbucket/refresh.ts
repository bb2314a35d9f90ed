import { domainToUnicode } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { type Bitbucket, BitbucketError, type BitbucketRepository } from '@kustos/clients/bitbucket'
import { transliterate } from '@kustos/contract/bitbucket'
import type { Transaction } from '@kustos/database/client'
import { storableJson } from '@kustos/database/storable-text'
import { repositories, webs } from '@kustos/database/tables'
import { and, getTableColumns, inArray, isNull, like, sql } from 'drizzle-orm'
import { chunk } from '../platform/chunk.ts'
import type { Context } from '../platform/context.ts'
import { DomainError, upstreamError } from '../platform/errors.ts'
import { excludedColumns } from '../platform/excluded-columns.ts'
import { lockInTransaction } from '../platform/locks.ts'
import { endFailure, isOvertaken, readSync, storeFailure, storeSuccess } from '../platform/sync-state.ts'
import { repositoryList } from './read.ts'
import { type RepositoryRow, toRepositoryRow } from './repository-row.ts'

/** A repository that was created just before the list was read may be missing in it; the clocks may differ. */
const clockToleranceMs = 60_000

/**
 * Replaces the cached list with that of Bitbucket in one transaction, and stores the outcome.
 * @returns how many repositories there are, and how many of them were added, changed or removed
 * @throws DomainError upstream if Bitbucket does not respond or lists nothing; the cached list is kept then
 */
export async function refreshRepositories(context: Context, bitbucket: Bitbucket, signal?: AbortSignal) {
  const asked = context.now()
  let list: readonly BitbucketRepository[]
  try {
    list = await bitbucket.list(signal)
  } catch (error) {
    if (!(error instanceof BitbucketError)) throw error
    await storeFailure(context, repositoryList, asked, error.codedMessage)
    throw new DomainError('upstream', error.codedMessage)
  }
  const outcome = await context.db.transaction(async (tx) => {
    await lockInTransaction(tx, repositoryList.lock)
    const before = await readSync(tx, repositoryList)
    const none = { repositories: list.length, added: 0, changed: 0, removed: 0 }
    if (isOvertaken(context, before, asked)) return none
    const moved = await replace(tx, list.map(toRepositoryRow), asked)
    if (moved === null) return null
    await linkWebs(tx)
    await storeSuccess(tx, repositoryList, before, asked)
    return { ...none, ...moved }
  })
  if (outcome !== null) return outcome
  // A token without rights leads to an empty list rather than to an error.
  const failure = upstreamError('bitbucket_empty')
  await storeFailure(context, repositoryList, asked, failure.codedMessage)
  throw failure
}

/** Ends the failure of a Bitbucket that is not configured any more. */
export const endRefreshFailure = (context: Context): Promise<null> =>
  context.db.transaction(async (tx) => {
    await lockInTransaction(tx, repositoryList.lock)
    await endFailure(tx, repositoryList)
    return null
  })

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
    return old !== undefined && !isDeepStrictEqual(old, row)
  })
  const kept = new Set(wanted.map(({ name }) => name))
  const removed = [...cached.values()].filter(
    ({ name, created_on }) => !kept.has(name) && created_on.getTime() < asked.getTime() - clockToleranceMs,
  )
  const set = excludedColumns(...Object.keys(getTableColumns(repositories)))
  for (const rows of chunk([...added, ...changed]))
    await tx.insert(repositories).values(rows).onConflictDoUpdate({ target: repositories.name, set })
  for (const names of chunk(removed.map(({ name }) => name)))
    await tx.delete(repositories).where(inArray(repositories.name, names))
  return { added: added.length, changed: changed.length, removed: removed.length }
}

/**
 * Assigns repositories to webs that have none, by name: that of a repository is a generation and a domain, such as
 * `web134-alpenhof.test`, with umlauts spelled out (`buildRepositoryName`).
 */
async function linkWebs(tx: Transaction): Promise<void> {
  const isUnlinked = and(isNull(webs.repository), isNull(webs.deleted_at))
  const idn = await tx
    .select({ id: webs.id, ascii: webs.fqdn_ascii })
    .from(webs)
    .where(and(isUnlinked, like(webs.fqdn_ascii, '%xn--%')))
  const spelledOut = idn.map(({ id, ascii }) => ({ id, fqdn: transliterate(domainToUnicode(ascii)) }))
  const { rows } = await tx.execute<{ id: number; name: string }>(sql`
    select distinct on (named.id) named.id, r.name
    from (
      select id, fqdn_ascii as fqdn from ${webs} where ${isUnlinked}
      union all
      select id, fqdn from json_to_recordset(${storableJson(spelledOut)}::json) as spelled_out (id int, fqdn text)
    ) named
    cross join lateral (select regexp_replace(named.fqdn, '^www\\.', '') as domain) as without_www
    join repositories r on r.name in ('web134-' || domain, 'web124-' || domain, 'web115-' || domain)
    order by named.id, r.updated_on desc`)
  // Every update of webs updates the open screens.
  if (rows.length === 0) return
  await tx.execute(sql`
    update ${webs} set repository = linked.name
    from json_to_recordset(${storableJson(rows)}::json) as linked (id int, name text)
    where webs.id = linked.id`)
}
