import type { CustomerDetails } from '@kustos/contract/customers'
import { customers, emails, externalDomains, ownDomains } from '@kustos/database/tables'
import { eq, getTableColumns, sql } from 'drizzle-orm'
import { readExternalDomains, readOwnDomains } from '../external-domains/index.ts'
import type { Context } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'
import { serializeDates } from '../platform/serialize-dates.ts'
import { readWebSummaries } from '../webs/index.ts'
import { presentCustomer, visibleParts } from './list.ts'

/** A customer with everything that is its own, as far as the user may see it. @throws DomainError not-found */
export async function readCustomer(context: Context, code: string): Promise<CustomerDetails> {
  const { db } = context
  const parts = visibleParts(context)
  const { updated_at: _, ...emailColumns } = getTableColumns(emails)
  const [[row], { webs, uptime }, own, external, mailboxes] = await Promise.all([
    db.select().from(customers).where(eq(customers.code, code)),
    readWebSummaries(context, sql`w.customer = ${code}`),
    parts.ownDomains ? readOwnDomains(db, eq(ownDomains.customer, code)) : null,
    parts.externalDomains ? readExternalDomains(db, eq(externalDomains.customer, code)) : null,
    parts.mailboxes
      ? db.select(emailColumns).from(emails).where(eq(emails.customer, code)).orderBy(emails.address)
      : null,
  ])
  if (!row) throw notFound('customer_not_found', { code })
  return {
    ...presentCustomer(row),
    contacts: row.contacts,
    notes: row.notes,
    contract_notes: row.contract_notes,
    spellings: row.spellings,
    webs,
    own_domains: own,
    external_domains: external,
    mailboxes: mailboxes?.map(serializeDates) ?? null,
    uptime,
  }
}
