import { alerts, emailChanges, users } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { purgeExpired } from '@kustos/domain/auth'
import { createContext } from '@kustos/domain/platform/context'
import { asc, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { ApiClient, createUser, listen, password, signIn } from '../api-client.ts'

const database = await testDatabase()
const { db } = database
const mail = { publicUrl: 'https://kustos.example', enqueue: () => Promise.resolve() }
let clock = Date.parse('2026-11-20T12:00:00Z')
const origin = await listen(database, { mail, now: () => new Date(clock) })
const minute = 60_000

let counter = 0
async function openUser(access: Parameters<typeof createUser>[2] = []) {
  const old = `user${++counter}@kustos.test`
  const next = `next${counter}@kustos.test`
  const id = await createUser(database, old, access)
  const client = await signIn(origin, old)
  await db.delete(alerts)
  const change = (fields: object) =>
    client.send('PUT', `/api/users/${id}`, { email: old, name: old, current_password: password, ...fields })
  return { id, old, next, client, change, readEmail: async () => (await readUser(id))?.email }
}
const readUser = async (id: number) => (await db.select().from(users).where(eq(users.id, id)))[0]
const mailsTo = (recipient: string) =>
  db.select().from(alerts).where(eq(alerts.recipient, recipient)).orderBy(asc(alerts.id))
async function readToken(recipient: string): Promise<string> {
  const [last] = (await mailsTo(recipient)).slice(-1)
  return (
    /^https:\/\/kustos\.example\/settings#email-change=([\w-]{43})$/.exec(last?.content.url ?? '')?.[1] ?? ''
  )
}
const confirm = (client: ApiClient, token: string) =>
  client.send('POST', '/api/emailChange/confirm', { token })
const readPending = async (client: ApiClient) =>
  (await client.json<{ data: { email: string } | null }>('/api/emailChange')).data

beforeEach(async () => {
  clock += 24 * 60 * minute
  await database.owner.pool.query('delete from sign_in_limits')
})

describe('a new own e-mail', () => {
  it('counts once its address has confirmed it, and the old address is told twice', async () => {
    const { id, old, next, client, change, readEmail } = await openUser()
    expect((await change({ email: next, name: 'Renamed' })).status).toBe(204)
    expect(await readUser(id)).toMatchObject({ email: old, name: 'Renamed' })
    expect(await readPending(client)).toMatchObject({ email: next })
    expect(await mailsTo(old)).toMatchObject([
      { content: { lines: [expect.stringContaining(next), expect.anything()] } },
    ])
    expect((await new ApiClient(origin).signIn(next)).status).toBe(401)

    expect((await confirm(client, await readToken(next))).status).toBe(204)
    expect(await readEmail()).toBe(next)
    expect(await readPending(client)).toBeNull()
    expect(await mailsTo(old)).toMatchObject([{}, { content: { title: 'Your Kustos e-mail was changed' } }])
    expect((await new ApiClient(origin).signIn(next)).status).toBe(204)
  })

  it('is stored with a hash of its token only', async () => {
    const { next, change } = await openUser()
    await change({ email: next })
    const token = await readToken(next)
    expect(token).not.toBe('')
    expect(JSON.stringify(await db.select().from(emailChanges))).not.toContain(token)
  })

  it('is confirmed once, within an hour, by its user, with the last link', async () => {
    const { next, client, change, readEmail, old } = await openUser()
    await change({ email: next })
    const first = await readToken(next)
    await change({ email: next })
    const token = await readToken(next)
    const stranger = await openUser()
    for (const [who, sent] of [
      [client, first],
      [client, `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`],
      [stranger.client, token],
    ] as const) {
      const refused = await confirm(who, sent)
      expect(refused.status).toBe(422)
      expect(await refused.json()).toMatchObject({ error_codes: { token: [{ code: 'email_link_invalid' }] } })
    }
    clock += 60 * minute
    expect((await confirm(client, token)).status).toBe(422)
    expect(await readPending(client)).toBeNull()
    clock -= minute
    expect(await readEmail()).toBe(old)
    expect((await confirm(client, token)).status).toBe(204)
    expect((await confirm(client, token)).status).toBe(422)
  })

  it('is refused where another user has taken it meanwhile', async () => {
    const { next, client, change } = await openUser()
    await change({ email: next })
    await createUser(database, next.toUpperCase(), [])
    const refused = await confirm(client, await readToken(next))
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { error_codes: { token: [{ code: 'email_taken' }] } },
    ])
  })

  it('can be cancelled, and ends with a new password', async () => {
    const { next, client, change } = await openUser()
    await change({ email: next })
    expect((await client.send('DELETE', '/api/emailChange')).status).toBe(204)
    expect((await client.send('DELETE', '/api/emailChange')).status).toBe(204)
    expect((await confirm(client, await readToken(next))).status).toBe(422)
    await change({ email: next })
    await change({ password: 'another password, longer' })
    expect((await confirm(client, await readToken(next))).status).toBe(422)
  })

  it('sends mails to five addresses a minute at most', async () => {
    const { change } = await openUser()
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await change({ email: `flooded${attempt}@kustos.test` })).status).toBe(204)
    expect((await change({ email: 'flooded@kustos.test' })).status).toBe(429)
  })

  it('needs no confirmation for another case, nor from administrators for others', async () => {
    const admin = await openUser('admin')
    const { id, old, next, change, readEmail } = await openUser()
    expect((await change({ email: old.toUpperCase() })).status).toBe(204)
    expect(await readEmail()).toBe(old.toUpperCase())
    expect((await admin.client.send('PUT', `/api/users/${id}`, { email: next, name: old })).status).toBe(204)
    expect(await readEmail()).toBe(next)
  })

  it('is forgotten when an administrator sets another one or deletes the user', async () => {
    const admin = await openUser('admin')
    const { id, old, next, client, change, readEmail } = await openUser()
    await change({ email: next })
    const other = `other${id}@kustos.test`
    expect((await admin.client.send('PUT', `/api/users/${id}`, { email: other, name: old })).status).toBe(204)
    expect((await mailsTo(old)).at(-1)?.content.title).toBe('Your Kustos e-mail was changed')
    expect((await confirm(client, await readToken(next))).status).toBe(422)
    expect(await readEmail()).toBe(other)

    await change({ email: next })
    expect((await admin.client.send('DELETE', `/api/users/${id}`)).status).toBe(204)
    expect(await db.select().from(emailChanges).where(eq(emailChanges.user_id, id))).toEqual([])
  })

  it('is removed when its hour is over', async () => {
    const { id, next, change } = await openUser()
    await change({ email: next })
    const readRows = () => db.select().from(emailChanges).where(eq(emailChanges.user_id, id))
    const purge = () => purgeExpired({ ...createContext(database), now: () => new Date(clock) })
    clock += 59 * minute
    await purge()
    expect(await readRows()).toHaveLength(1)
    clock += minute
    await purge()
    expect(await readRows()).toEqual([])
  })

  it('counts at once without a mail server', async () => {
    const { id, old, next, readEmail } = await openUser()
    const client = await signIn(await listen(database, { now: () => new Date(clock) }), old)
    const fields = { email: next, name: old, current_password: password }
    expect((await client.send('PUT', `/api/users/${id}`, fields)).status).toBe(204)
    expect(await readEmail()).toBe(next)
  })
})
