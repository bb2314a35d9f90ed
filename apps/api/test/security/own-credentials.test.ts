import { alerts } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { createContext } from '@kustos/domain/platform/context'
import { setPassword } from '@kustos/domain/users'
import { asc, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { ApiClient, createUser, listen, password, signIn } from '../api-client.ts'

const database = await testDatabase()
const { db } = database
const enqueued: (readonly number[])[] = []
const mail = {
  publicUrl: 'https://kustos.example/',
  enqueue: async (ids: readonly number[]) => void enqueued.push(ids),
}
const origin = await listen(database, { mail })
const silentOrigin = await listen(database)
const changed = 'another password, longer'

let counter = 0
async function openUser(access: Parameters<typeof createUser>[2] = []) {
  const email = `user${++counter}@kustos.test`
  const id = await createUser(database, email, access)
  const client = await signIn(origin, email)
  const change = (fields: object) => client.send('PUT', `/api/users/${id}`, { email, name: email, ...fields })
  await db.delete(alerts)
  enqueued.length = 0
  return { id, email, client, change }
}
const listMails = () =>
  db
    .select({ id: alerts.id, to: alerts.recipient, channel: alerts.channel, content: alerts.content })
    .from(alerts)
    .orderBy(asc(alerts.id))

beforeEach(async () => {
  await database.owner.pool.query('delete from sign_in_limits')
})

describe('one’s own password and e-mail', () => {
  it.each([{ password: changed }, { email: 'elsewhere@kustos.test' }])(
    '%o is refused without the current password',
    async (fields) => {
      const { client, change } = await openUser()
      for (const [current_password, code] of [
        [undefined, 'password_required'],
        ['', 'password_required'],
        ['not the password', 'password_wrong'],
      ] as const) {
        const response = await change({ ...fields, current_password })
        expect(response.status).toBe(422)
        expect(await response.json()).toMatchObject({ error_codes: { current_password: [{ code }] } })
      }
      expect((await client.fetch('/api/users/current')).status).toBe(200)
    },
  )

  it('change with it', async () => {
    const { email, change } = await openUser()
    expect((await change({ password: changed, current_password: password })).status).toBe(204)
    expect((await new ApiClient(origin).signIn(email, changed)).status).toBe(204)
  })

  it('stay guessable no more often than at sign-in', async () => {
    const { change } = await openUser()
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await change({ password: changed, current_password: 'a guess' })).status).toBe(422)
    expect((await change({ password: changed, current_password: password })).status).toBe(429)
  })

  it('count no attempt with it that is refused for the new password or for a change meanwhile', async () => {
    const { email, change } = await openUser()
    const right = { current_password: password }
    for (let attempt = 0; attempt < 6; attempt++)
      expect((await change({ ...right, password: 'passwordpassword' })).status).toBe(422)
    const seen = { updated_at: '2026-01-01T00:00:00.000Z' }
    for (let attempt = 0; attempt < 6; attempt++)
      expect((await change({ ...right, ...seen, password: changed })).status).toBe(409)
    expect((await new ApiClient(origin).signIn(email)).status).toBe(204)
    expect((await change({ ...right, password: changed })).status).toBe(204)
  })

  it('stay limited for new e-mails, which tell whether they are taken', async () => {
    const { change } = await openUser()
    const { email } = await openUser()
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await change({ email, current_password: password })).status).toBe(422)
    expect((await change({ email, current_password: password })).status).toBe(429)
  })

  it('need it from administrators as well, for themselves only', async () => {
    const admin = await openUser('admin')
    expect((await admin.change({ password: changed })).status).toBe(422)
    const other = await openUser()
    const body = { email: other.email, name: 'Other', password: changed }
    expect((await admin.client.send('PUT', `/api/users/${other.id}`, body)).status).toBe(204)
  })

  it('are not needed for the name', async () => {
    const { change } = await openUser()
    expect((await change({ name: 'Renamed', current_password: 'not checked' })).status).toBe(204)
  })
})

describe('a mail tells the user', () => {
  const url = 'https://kustos.example/settings'

  it('of a sign-in from an unknown browser, once', async () => {
    const { email, client } = await openUser()
    const stranger = new ApiClient(origin)
    await stranger.fetch('/sanctum/csrf-cookie')
    const headers = { 'user-agent': 'Strange/1.0\u00e4' }
    expect(
      (await stranger.send('POST', '/api/login', { email, password, remember: false }, headers)).status,
    ).toBe(204)
    const mails = await listMails()
    expect(mails).toMatchObject([
      {
        to: email,
        channel: 'mail',
        content: {
          title: 'New sign-in to Kustos',
          lines: [
            expect.stringContaining(email),
            expect.stringMatching(/^Time: \d{4}\/\d\d\/\d\d /),
            'Address: 127.0.0.1',
            'Browser: Strange/1.0ä',
            expect.stringContaining('change your password'),
          ],
          url,
        },
      },
    ])
    expect(enqueued).toEqual([[mails[0]?.id]])
    for (const known of [client, stranger]) expect((await known.signIn(email)).status).toBe(204)
    expect(await listMails()).toHaveLength(1)
  })

  it('of nothing if the sign-in fails', async () => {
    const { email } = await openUser()
    expect((await new ApiClient(origin).signIn(email, 'wrong')).status).toBe(401)
    expect(await listMails()).toEqual([])
  })

  it.each([
    [
      'themselves',
      async ({ change }: Awaited<ReturnType<typeof openUser>>) => {
        expect((await change({ password: changed, current_password: password })).status).toBe(204)
      },
    ],
    [
      'an administrator',
      async ({ id, email }: Awaited<ReturnType<typeof openUser>>) => {
        const admin = await openUser('admin')
        const body = { email, name: email, password: changed }
        expect((await admin.client.send('PUT', `/api/users/${id}`, body)).status).toBe(204)
      },
    ],
    [
      'the command line',
      ({ email }: Awaited<ReturnType<typeof openUser>>) =>
        setPassword({ ...createContext(database), mail }, email, changed),
    ],
  ])('of a password that was changed by %s', async (_, changeIt) => {
    const user = await openUser()
    await changeIt(user)
    expect(await listMails()).toMatchObject([
      { to: user.email, content: { title: 'Your Kustos password was changed', url } },
    ])
  })

  it('of an e-mail that was changed, at the old address', async () => {
    const user = await openUser()
    const admin = await openUser('admin')
    const email = `new-${user.email}`
    const body = { email, name: user.email }
    expect((await admin.client.send('PUT', `/api/users/${user.id}`, body)).status).toBe(204)
    expect(await listMails()).toMatchObject([
      {
        to: user.email,
        content: {
          title: 'Your Kustos e-mail was changed',
          lines: [expect.stringContaining(email), expect.anything()],
        },
      },
    ])
  })

  it('of nothing where no mail server is configured', async () => {
    const { email } = await openUser()
    await signIn(silentOrigin, email)
    expect(await listMails()).toEqual([])
  })

  it('in the transaction of the change', async () => {
    const { email } = await openUser()
    await database.owner.pool.query('alter table alerts rename to alerts_gone')
    expect((await new ApiClient(origin).signIn(email)).status).toBe(500)
    await database.owner.pool.query('alter table alerts_gone rename to alerts')
    expect(await db.select().from(alerts).where(eq(alerts.recipient, email))).toEqual([])
  })
})
