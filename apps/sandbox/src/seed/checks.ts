import type { Transaction } from '@kustos/database/client'
import { checks, customers, seenPages, webs } from '@kustos/database/tables'
import { inArray, sql } from 'drizzle-orm'
import { findBehaviour, findHostsByBehaviour } from './behaviours.ts'

/** From this response time on, a web of a customer with a slow site counts as slow. */
const slowMs = 1500

/** Lets slow sites count as degraded, and remembers that blank ones had a page. */
export async function seedChecks(db: Transaction): Promise<void> {
  const found = await db
    .select({ id: webs.id, host: webs.fqdn_ascii, customer: customers.id })
    .from(webs)
    .innerJoin(customers, sql`${customers.code} = ${webs.customer}`)
    .where(inArray(webs.fqdn_ascii, findHostsByBehaviour('slow', 'blank')))
  const slow = found.filter(({ host }) => findBehaviour(host).kind === 'slow')
  const blank = found.filter(({ host }) => findBehaviour(host).kind === 'blank')
  const slowCustomers = [...new Set(slow.map(({ customer }) => customer))]
  if (slowCustomers.length > 0)
    await db
      .insert(checks)
      .values(slowCustomers.map((customer_id) => ({ customer_id, settings: { slow_ms: slowMs } })))
  if (blank.length > 0)
    await db.insert(seenPages).values(blank.map(({ id, host }) => ({ web_id: id, url: `${host}/` })))
}
