import { startRegistrarServer } from '@kustos/clients/testing/registrar-server'
import { emails, ownDomains, registrarSyncs } from '@kustos/database/tables'
import type { TestDatabase } from '@kustos/database/testing'
import { sql } from 'drizzle-orm'
import { afterAll, beforeEach } from 'vitest'
import { listEmails, listOwnDomains, syncRegistrar } from '../src/limitis/index.ts'
import { createContext } from '../src/platform/context.ts'

export const domain = (fqdn: string, customer = 'KÖGL', more: object = {}) => ({ fqdn, customer, ...more })
export const mailbox = (address: string, type = 'mailbox') => ({ address, type, customer: 'KÖGL' })

/**
 * Starts a registrar with three domains and three mailboxes; before each test, our lists are empty. Call it at the top of a
 * file.
 */
export async function startTestRegistrar(database: TestDatabase) {
  const { db, owner } = database
  const { state, registrar, stop } = await startRegistrarServer()
  afterAll(stop)
  const start = new Date('2026-11-21T12:00:00Z')
  let now = start
  const context = createContext(database, null, () => now)
  beforeEach(async () => {
    now = start
    await owner.db.execute(sql`truncate ${ownDomains}, ${emails}, ${registrarSyncs}`)
    Object.assign(state, {
      domains: [
        domain('a.test'),
        domain('Müller.test', 'MÜLLER', { created_at: '2019-03-01T00:00:00Z' }),
        domain('c.test.'),
      ],
      mailboxes: [mailbox('info@a.test'), mailbox('Post@Müller.test', 'forward'), mailbox('x@c.test')],
      failure: null,
      held: null,
      total: undefined,
      isTotalFirst: false,
      requests: [],
    })
  })
  return {
    state,
    registrar,
    context,
    now: () => now,
    advanceMinutes(minutes: number): void {
      now = new Date(now.getTime() + minutes * 60_000)
    },
    sync: () => syncRegistrar(context, registrar),
    domains: async () => (await listOwnDomains(context)).rows,
    addresses: async () => (await listEmails(context)).rows.map(({ address }) => address),
    /** The stored result of the last sync. */
    readLastSync: async () => (await db.select().from(registrarSyncs))[0],
  }
}
