import { type Customer, customer, customerDetails, customersRoutes } from '@kustos/contract/customers'
import type { Permission } from '@kustos/contract/permissions'
import { urlOf } from '@kustos/contract/route'
import { customers, externalDomains, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { beforeEach } from 'vitest'
import { z } from 'zod'
import { type ApiClient, createUser, listen, signIn } from './api-client.ts'

/** What has a customer, and batches of it. */
const emptied = [
  'batch_targets',
  'batches',
  'incidents',
  'uptime_days',
  'tracking_audits',
  'views',
  'deployments',
  'webs',
  'own_domains',
  'external_domains',
  'emails',
  'customers',
]

/** An API with the clock stopped, an administrator, and a database without customers before each test. */
export async function openCustomers() {
  const now = new Date('2026-11-21T12:00:00Z')
  const database = await testDatabase()
  const { db } = database
  const origin = await listen(database, { now: () => now })
  beforeEach(async () => {
    for (const table of emptied) await database.owner.pool.query(`delete from ${table}`)
  })

  async function clientOf(name: string, permissions: Permission[] | 'admin'): Promise<ApiClient> {
    await createUser(database, `${name}@kustos.test`, permissions)
    return signIn(origin, `${name}@kustos.test`)
  }
  const admin = await clientOf('admin', 'admin')

  return {
    database,
    db,
    now,
    clientOf,
    admin,
    viewer: await clientOf('viewer', ['view customers']),
    /** @returns the id of the web */
    async addWeb(name: string, code: string, more: Partial<typeof webs.$inferInsert> = {}) {
      const values = { fqdn: name, fqdn_ascii: name, customer: code, configured_ip: '192.0.2.1', ...more }
      const [row] = await db.insert(webs).values(values).returning({ id: webs.id })
      return row?.id ?? 0
    },
    addDomain: (name: string, code: string) =>
      db
        .insert(externalDomains)
        .values({ fqdn: name, fqdn_ascii: name, customer: code, domainprovider: 'P' }),
    codes: async () =>
      (await db.select({ code: customers.code }).from(customers).orderBy(customers.code)).map(
        ({ code }) => code,
      ),
    list: async (client = admin): Promise<Customer[]> =>
      z.array(customer).parse(await client.json<unknown>(customersRoutes.listCustomers.path)),
    read: async (code: string, client = admin) =>
      customerDetails.parse(await client.json<unknown>(urlOf(customersRoutes.readCustomer, { code }))),
  }
}
