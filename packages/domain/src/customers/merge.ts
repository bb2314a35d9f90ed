import {
  type CustomerMerge,
  type MergePreview,
  maxContacts,
  maxMergedNames,
  maxNotesLength,
} from '@kustos/contract/customers'
import { message } from '@kustos/contract/messages'
import { changeTags, maxTags } from '@kustos/contract/tags'
import type { Transaction } from '@kustos/database/client'
import {
  checks,
  customers,
  emails,
  externalDomains,
  ownDomains,
  trackingContracts,
  trackingExceptions,
  webs,
} from '@kustos/database/tables'
import { and, arrayContains, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { moveCheck } from '../checks/index.ts'
import { type LogEntry, nextUpdatedAt, withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { invalid, notFound } from '../platform/errors.ts'
import { rewriteConditions } from '../platform/rewrite-conditions.ts'
import { visibleWebs } from '../platform/visible-webs.ts'
import { lockTagRules } from '../tags/index.ts'
import { moveContract, reconsiderWebs } from '../tracking-contracts/index.ts'
import { entry } from './change-customer.ts'
import { rewriteCustomerViews } from './follow-merge.ts'
import { visibleParts } from './list.ts'

interface Kind {
  readonly table: PgTable & { readonly id: PgColumn; readonly customer: PgColumn }
  readonly name: PgColumn
  /** Of the audit log. Mailboxes and own domains have no subject there. */
  readonly log: LogEntry['log']
  readonly subject: string | null
}

/** In the order in which they are written: the revision of the list of webs, which others wait for, is locked last. */
const kinds = {
  own_domains: { table: ownDomains, name: ownDomains.fqdn, log: 'limitis', subject: null },
  mailboxes: { table: emails, name: emails.address, log: 'limitis', subject: null },
  external_domains: {
    table: externalDomains,
    name: externalDomains.fqdn,
    log: 'external-domains',
    subject: 'external_domain',
  },
  webs: { table: webs, name: webs.fqdn, log: 'webs', subject: 'web' },
} as const satisfies Readonly<Record<string, Kind>>

/**
 * Counts and names what a merge of the customer would change, as far as the user may see it. Webs that were deleted and can be
 * restored change as well.
 * @throws DomainError not-found
 */
export async function previewMerge(context: Context, code: string): Promise<MergePreview> {
  const { db } = context
  const [found] = await db.select({ id: customers.id }).from(customers).where(eq(customers.code, code))
  if (!found) throw notFound('customer_not_found', { code })
  const parts = visibleParts(context)
  const namesOf = async (kind: Kind, isVisible: boolean, visible?: SQL) => {
    if (!isVisible) return null
    const rows = await rowsOf(db, kind, [code], visible)
    return { count: rows.length, names: rows.slice(0, maxMergedNames).map(({ name }) => name) }
  }
  const [own_domains, mailboxes, external_domains, ofWebs] = await Promise.all([
    namesOf(kinds.own_domains, parts.ownDomains),
    namesOf(kinds.mailboxes, parts.mailboxes),
    namesOf(kinds.external_domains, parts.externalDomains),
    namesOf(kinds.webs, parts.webs, visibleWebs(context)),
  ])
  return {
    webs: ofWebs,
    own_domains,
    external_domains,
    mailboxes,
    ...(await findSettings(db, found.id, context.now())),
  }
}

/** Whether the customer has what is lost if the other one has it, too. */
async function findSettings(db: Transaction, id: number, now: Date) {
  const isIn = (table: typeof checks | typeof trackingContracts | typeof trackingExceptions, which?: SQL) =>
    db.$count(table, and(eq(table.customer_id, id), which))
  const isSet = sql`settings <> '{}'`
  const [check, contract, exceptions] = await Promise.all([
    isIn(checks, isSet),
    isIn(trackingContracts, isSet),
    isIn(trackingExceptions, sql`until > ${now.toISOString()}`),
  ])
  return { check: check > 0, tracking_contract: contract + exceptions > 0 }
}

const rowsOf = (db: Transaction, { table, name }: Kind, codes: readonly string[], which?: SQL) =>
  db
    .select({ id: sql<number>`${table.id}`, name: sql<string>`${name}` })
    .from(table)
    .where(and(inArray(table.customer, [...codes]), which))
    .orderBy(table.id)

/**
 * Gives everything of one customer to another and removes it. Its code stays known as a spelling, which lists of the registrar
 * are read by. What staff wrote about it is kept where the other customer has nothing.
 * @throws DomainError not-found, for either; invalid for the same customer twice, and for more tags, contacts and
 * notes than a customer may have
 */
export const mergeCustomers = (context: Context, { from, into }: CustomerMerge): Promise<void> =>
  withAudit(context, async (tx) => {
    if (from === into) throw invalid({ into: message('customer_into_itself') })
    // Before what carries them, so that none is deleted meanwhile and comes back with the other customer.
    const carrying = await tx.db
      .select({ tags: customers.tags })
      .from(customers)
      .where(inArray(customers.code, [from, into]))
    await lockTagRules(
      tx.db,
      carrying.flatMap((row) => row.tags),
    )
    // The rows of customers come before the customers, as when users change that of a row: its trigger locks customers.
    const codes = [from, into]
    for (const kind of Object.values(kinds).toReversed()) await rowsOf(tx.db, kind, codes).for('update')
    const lockedRows = await tx.db
      .select()
      .from(customers)
      .where(inArray(customers.code, codes))
      // As all others lock several.
      .orderBy(customers.id)
      .for('update')
    const findLocked = (code: string) => {
      const row = lockedRows.find((one) => one.code === code)
      if (row === undefined) throw notFound('customer_not_found', { code })
      return row
    }
    const [source, target] = [findLocked(from), findLocked(into)]
    // Tags of the same name keep the value of the customer that stays.
    const tags = changeTags(source.tags, target.tags)
    if (tags.length > maxTags) throw invalid({ into: message('tags_too_many', { max: maxTags }) })
    const contacts = [...target.contacts, ...source.contacts]
    if (contacts.length > maxContacts)
      throw invalid({ into: message('merged_contacts_too_many', { max: maxContacts }) })
    const notes = joinTexts(target.notes, source.notes)
    if (isTooLong(notes)) throw invalid({ into: message('merged_notes_too_long', { max: maxNotesLength }) })
    const contract_notes = joinTexts(target.contract_notes, source.contract_notes)
    if (isTooLong(contract_notes))
      throw invalid({ into: message('merged_contract_notes_too_long', { max: maxNotesLength }) })
    const merge = `${from} → ${into}`
    const entries: LogEntry[] = []
    for (const kind of Object.values(kinds)) {
      const rows = await rowsOf(tx.db, kind, [from]).for('update')
      entries.push(...rows.map((row) => describeChange(kind, row, { from, into, merge })))
    }
    const kept = {
      name: target.name ?? source.name,
      contacts,
      notes,
      contract_notes,
      alert_channels: target.alert_channels.length > 0 ? target.alert_channels : source.alert_channels,
      tags,
      spellings: [...target.spellings, ...source.spellings, from],
    }
    const ids = { from: source.id, into: target.id, merge }
    const lost = { ...(await moveCheck(tx, { type: 'customer', ...ids })), ...(await moveContract(tx, ids)) }
    const { id: _, created_at: __, updated_at: ___, ...facts } = source
    const old = { ...facts, ...lost }
    await tx.recordAll([...entries, { ...entry('merged', target.id), old, attributes: { merge, ...kept } }])
    await tx.db
      .update(customers)
      .set({ ...kept, updated_at: nextUpdatedAt(target, tx) })
      .where(eq(customers.id, target.id))
    await tx.db.delete(customers).where(eq(customers.id, source.id))
    await rewriteConditions(
      tx,
      'customers',
      (column) => arrayContains(column, [from]),
      (names) => [...new Set(names.map((name) => (name === from ? into : name)))].sort(),
      { merge },
    )
    await rewriteCustomerViews(tx, { from, into }, merge)
    const now = tx.now().toISOString()
    // Later than before, so that no form overwrites it unnoticed.
    for (const { table } of Object.values(kinds))
      await tx.db.execute(sql`
        update ${table} set customer = ${into}, updated_at = greatest(${now}::timestamptz, updated_at + interval '1 ms')
        where customer = ${from}`)
    await reconsiderWebs(tx, eq(webs.customer, into))
  })

function describeChange(
  { log, subject }: Kind,
  { id, name }: { readonly id: number; readonly name: string },
  { from, into, merge }: CustomerMerge & { readonly merge: string },
): LogEntry {
  const change = { old: { customer: from }, attributes: { customer: into, merge } }
  return subject === null
    ? { log, description: 'updated', ...change, attributes: { name, ...change.attributes } }
    : { log, description: 'updated', subject: { type: subject, id }, ...change }
}

const joinTexts = (first: string | null, second: string | null): string | null =>
  [first, second].filter((text) => text !== null).join('\n\n') || null

const isTooLong = (notes: string | null) => (notes?.length ?? 0) > maxNotesLength
