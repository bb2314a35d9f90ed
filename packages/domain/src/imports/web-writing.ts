import { categories, webCategories, webs } from '@kustos/database/tables'
import { and, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { after, type Change, difference } from '../audit.ts'
import { brokeUnique } from '../errors.ts'
import { portions } from '../portions.ts'
import { insertWithIds, takeIds } from './legacy/ids.ts'
import { type Judgement, judgeEntry, type Known } from './web-judging.ts'
import { readStates, type WebState } from './web-state.ts'

/** Others have changed meanwhile what a line was judged by: nothing is written, and it has to be judged anew. */
export class Overtaken extends Error {}

export type Added = Extract<Judgement, { outcome: 'added' }>
export type Changed = Extract<Judgement, { outcome: 'changed' }>

/** How many were written: one that somebody has changed alike meanwhile is not. */
export interface Written {
  readonly added: number
  readonly changed: number
}

/**
 * Writes what the lines were judged to be. What takes time comes before whatever others wait for: the log, which only
 * grows, then the locks of the rows that change, then all webs in one statement each, which move the list's revision.
 * So two that write never wait for each other in a ring: rows first, in the order of their ids; names next, in their own
 * order; the revision last.
 * @param sumUp records the entry of the whole, before the first web is written
 * @throws Overtaken
 */
export async function writeWebs(
  inside: Change,
  known: Known,
  added: readonly Added[],
  changed: readonly Changed[],
  sumUp: (written: Written) => Promise<void>,
): Promise<void> {
  await keepCategories(inside, [...added, ...changed])
  const ids = await takeIds(inside.db, webs, added.length)
  const fresh = added.map((line, index) => ({ ...line, id: ids[index] ?? 0 }))
  if (fresh.length > 0) {
    await inside.recordAll(
      fresh.map(({ id, node, state }) => ({
        log: 'webs',
        description: 'created',
        subject: { type: 'web', id },
        attributes: { ...state, node },
      })),
    )
  }
  const differing = await lockChanged(inside, known, changed)
  await sumUp({ added: fresh.length, changed: differing.length })
  await insertWebs(inside, known, fresh)
  await updateWebs(inside, differing)
  const moved = differing.filter(
    ({ there, state }) => String(there.state.categories) !== String(state.categories),
  )
  await unlink(inside, moved)
  await link(inside, known, [...fresh, ...moved.map(({ there, state }) => ({ id: there.id, state }))])
}

/** @throws Overtaken where one is gone */
async function keepCategories({ db }: Change, lines: readonly { readonly state: WebState }[]): Promise<void> {
  const names = [...new Set(lines.flatMap(({ state }) => state.categories))]
  if (names.length === 0) return
  const kept = await db
    .select({ id: categories.id })
    .from(categories)
    .where(inArray(categories.name, names))
    .orderBy(categories.id)
    .for('key share')
  if (kept.length !== names.length) throw new Overtaken()
}

/** Locks the webs that change, sees them as they are now, and records what changes of them. @throws Overtaken */
async function lockChanged(
  inside: Change,
  known: Known,
  lines: readonly Changed[],
): Promise<readonly Changed[]> {
  if (lines.length === 0) return []
  const ids = lines.map(({ there }) => there.id)
  await inside.db
    .select({ id: webs.id })
    .from(webs)
    .where(and(sql`${webs.id} = any(${sql.param(ids)}::int[])`, isNull(webs.deleted_at)))
    .orderBy(webs.id)
    .for('update')
  const now = new Map((await readStates(inside.db, ids)).map((there) => [there.id, there]))
  const differing = lines.flatMap(({ entry, there }) => {
    const present = now.get(there.id)
    if (present?.fqdn_ascii !== there.fqdn_ascii) throw new Overtaken()
    const judgement = judgeEntry(known, entry, present, there.fqdn_ascii)
    if (judgement.outcome === 'wrong') throw new Overtaken()
    return judgement.outcome === 'changed' ? [judgement] : []
  })
  if (differing.length > 0) {
    await inside.recordAll(
      differing.map(({ there, state }) => ({
        log: 'webs',
        description: 'updated',
        subject: { type: 'web', id: there.id },
        ...difference(there.state, state),
      })),
    )
  }
  return differing
}

/** @throws Overtaken where somebody else has added one of them */
async function insertWebs(
  inside: Change,
  { nodes }: Known,
  lines: readonly (Added & { readonly id: number })[],
): Promise<void> {
  const now = inside.now()
  const rows = lines.map(({ id, ascii, node, state }) => ({
    id,
    ...columnsOf(state),
    fqdn_ascii: ascii,
    node_id: node === null ? null : (nodes.get(node) ?? null),
    created_at: now,
    updated_at: now,
  }))
  rows.sort((a, b) => (a.fqdn_ascii < b.fqdn_ascii ? -1 : 1))
  try {
    await insertWithIds(inside.db, webs, rows)
  } catch (error) {
    throw brokeUnique(error, 'webs_living_fqdn') ? new Overtaken() : error
  }
}

async function updateWebs(inside: Change, lines: readonly Changed[]): Promise<void> {
  const rows = lines.map(({ there, state }) => ({
    id: there.id,
    ...columnsOf(state),
    updated_at: after(there, inside),
  }))
  const [first] = rows
  if (first === undefined) return
  const set = Object.keys(first)
    .filter((name) => name !== 'id')
    .map((name): SQL => sql`${sql.identifier(name)} = told.${sql.identifier(name)}`)
  await inside.db.execute(sql`
    update ${webs} set ${sql.join(set, sql`, `)}
    from json_populate_recordset(null::${webs}, ${JSON.stringify(rows)}) told where ${webs.id} = told.id`)
}

function columnsOf({ categories: _, monitoring_web_active: active, ...columns }: WebState) {
  return { ...columns, monitoring_web_active: active === 1 }
}

async function unlink({ db }: Change, lines: readonly Changed[]): Promise<void> {
  const ids = lines.map(({ there }) => there.id)
  for (const portion of portions(ids)) {
    await db.delete(webCategories).where(inArray(webCategories.web_id, portion))
  }
}

async function link(
  { db }: Change,
  { categories: named }: Known,
  lines: readonly { readonly id: number; readonly state: WebState }[],
): Promise<void> {
  const links = lines.flatMap(({ id, state }) =>
    state.categories.flatMap((name) => {
      const category = named.get(name.toLowerCase())
      return category === undefined ? [] : [{ web_id: id, category_id: category.id }]
    }),
  )
  if (links.length === 0) return
  await db.execute(sql`
    insert into ${webCategories} (web_id, category_id)
    select web_id, category_id from json_populate_recordset(null::${webCategories}, ${JSON.stringify(links)})`)
}
