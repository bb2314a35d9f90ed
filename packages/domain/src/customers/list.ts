import type { Customer } from '@kustos/contract/customers'
import { externalDomainsRoutes } from '@kustos/contract/external-domains'
import { limitisRoutes } from '@kustos/contract/limitis'
import { can } from '@kustos/contract/permissions'
import { type ReportingChannel, websRoutes } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import { customers, emails, externalDomains, ownDomains, webs } from '@kustos/database/tables'
import { eq, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { downSince } from '../monitoring/index.ts'
import type { Context } from '../platform/context.ts'

/** Which parts of a customer a user may see. */
export const visibleParts = ({ actor }: Pick<Context, 'actor'>) => ({
  webs: can(actor, websRoutes.listWebs.access),
  ownDomains: can(actor, limitisRoutes.listOwnDomains.access),
  externalDomains: can(actor, externalDomainsRoutes.listExternalDomains.access),
  mailboxes: can(actor, limitisRoutes.listEmails.access),
})

/** Every customer in the order of the codes. */
export const listCustomers = (context: Context): Promise<Customer[]> => readCustomers(context)

interface Counts {
  readonly all: number
  readonly down: number
}

/** @param code of the only one to read */
export async function readCustomers(
  { db, actor }: { readonly db: Transaction; readonly actor: Context['actor'] },
  code?: string,
): Promise<Customer[]> {
  const parts = visibleParts({ actor })
  const countOf = (table: PgTable, isVisible: boolean) =>
    isVisible ? countByCustomer(db, table, code) : null
  const rows = await db
    .select()
    .from(customers)
    .where(code === undefined ? undefined : eq(customers.code, code))
    .orderBy(customers.code)
  // One after the other, since a transaction has a single connection.
  const ofWebs = await countOf(webs, parts.webs)
  const own = await countOf(ownDomains, parts.ownDomains)
  const external = await countOf(externalDomains, parts.externalDomains)
  const ofMailboxes = await countOf(emails, parts.mailboxes)
  const numberOf = (counts: ReadonlyMap<string, Counts> | null, key: string, what: keyof Counts = 'all') =>
    counts === null ? null : (counts.get(key)?.[what] ?? 0)
  return rows.map((row) => ({
    ...presentCustomer(row),
    webs: numberOf(ofWebs, row.code),
    down: numberOf(ofWebs, row.code, 'down'),
    domains:
      own === null && external === null
        ? null
        : (numberOf(own, row.code) ?? 0) + (numberOf(external, row.code) ?? 0),
    mailboxes: numberOf(ofMailboxes, row.code),
  }))
}

/** Without deleted webs. */
async function countByCustomer(
  db: Transaction,
  table: PgTable,
  code: string | undefined,
): Promise<ReadonlyMap<string, Counts>> {
  const isWebs = table === webs
  const { rows } = await db.execute<{ customer: string } & Counts & Record<string, unknown>>(sql`
    select customer, count(*)::int as "all", ${isWebs ? sql.raw(`count(${downSince('of_code')})::int`) : sql`0`} as down
    from ${table} of_code
    where ${isWebs ? sql`deleted_at is null` : sql`true`} ${code === undefined ? sql`` : sql`and customer = ${code}`}
    group by customer`)
  return new Map(rows.map(({ customer, all, down }) => [customer, { all, down }]))
}

/** The fields that lists and pages show. */
export const presentCustomer = (row: typeof customers.$inferSelect) => ({
  id: row.id,
  code: row.code,
  name: row.name,
  // Only parsed input is written there.
  alert_channels: row.alert_channels as ReportingChannel[],
  tags: row.tags,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
