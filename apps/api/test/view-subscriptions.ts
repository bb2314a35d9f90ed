import type { AttentionList } from '@kustos/contract/attention'
import type { Permission } from '@kustos/contract/permissions'
import type { Delivery, NewView, View } from '@kustos/contract/views'
import { alerts, webs } from '@kustos/database/tables'
import type { TestDatabase } from '@kustos/database/testing'
import { createContext } from '@kustos/domain/platform/context'
import { notifySubscribers } from '@kustos/domain/subscriptions'
import { asc, eq } from 'drizzle-orm'
import { type ApiClient, createUser, listen, signIn } from './api-client.ts'
import { only } from './logged-fixtures.ts'

/** Users who follow views, and what they get. */
export async function viewSubscriptionTests(database: TestDatabase) {
  const { db } = database
  let now = new Date('2026-11-20T10:00:00Z')
  const origin = await listen(database, {
    now: () => now,
    monitoring: { intervalSeconds: 60, internalMarker: '.intern.' },
  })
  let counter = 0

  async function insertWeb(more: Partial<typeof webs.$inferInsert> = {}) {
    const fqdn = `web${++counter}.test`
    const row = { fqdn, fqdn_ascii: fqdn, customer: 'ALPEN', configured_ip: '192.0.2.7' }
    const values = { ...row, status: 0, domain_status: 1, ...more }
    return only(await db.insert(webs).values(values).returning({ id: webs.id, fqdn: webs.fqdn }))
  }

  return {
    insertWeb,
    async staff(name: string, access: readonly Permission[] | 'admin') {
      const email = `${name}@kustos.test`
      const id = await createUser(database, email, access)
      return { id, email, client: await signIn(origin, email) }
    },
    /** Runs the periodic job, each time a minute later. */
    evaluate({ minutes = 1, signal = new AbortController().signal } = {}) {
      now = new Date(now.getTime() + minutes * 60_000)
      const mail = { publicUrl: 'https://kustos.test', enqueue: async () => undefined }
      const context = { ...createContext(database, null, () => now), mail }
      return notifySubscribers(context, { intervalSeconds: 60, internalMarker: '.intern.' }, signal, {
        // Endless backtracking exceeds any limit; other filters take so long only on a machine that does nothing for them.
        selectionMs: 1_000,
      })
    },
    setTime(time: string) {
      now = new Date(time)
    },
    signIn: (email: string) => signIn(origin, email),
    async createView(client: ApiClient, body: Partial<NewView> = {}): Promise<View> {
      const shown = { query: 'f.customer=equals:ALPEN', column_order: [], column_widths: {} }
      const view = { list: 'webs', name: `View ${++counter}`, audience: 'private', role_id: null }
      const response = await client.send('POST', '/api/views', { ...view, ...shown, ...body })
      if (response.status !== 201) throw new Error(await response.text())
      return (await response.json()) as View
    },
    follow: (client: ApiClient, { id }: Pick<View, 'id'>, delivery: Delivery = 'console') =>
      client.send('PUT', `/api/views/${id}/notifications`, { delivery }),
    /** The entries of what needs attention that are about views. */
    notices: async (client: ApiClient, query = '') =>
      (await client.json<AttentionList>(`/api/attention?kind=view_entered${query}`)).data,
    mailsTo: async (recipient: string) =>
      (await db.select().from(alerts).where(eq(alerts.recipient, recipient)).orderBy(asc(alerts.id))).map(
        ({ content: { title, lines, url } }) => ({ title, lines, url }),
      ),
  }
}
