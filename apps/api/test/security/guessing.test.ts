import { signInLimits, users } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { hashPassword } from '@kustos/domain/auth'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { ApiClient, createUser, listen, password } from '../api-client.ts'
import { advanceClock, stopClock } from '../stopped-clock.ts'

const database = await testDatabase()
const { db } = database
stopClock('2026-11-20T12:00:00Z')
const origin = await listen(database)
/** Trusts the address of the tests as a proxy. */
const proxied = await listen(database, { trustProxy: ['127.0.0.1'] })
const anna = await createUser(database, 'anna@kustos.test', [])
await createUser(database, 'bert@kustos.test', [])
const deleted = await createUser(database, 'deleted@kustos.test', [])
await db.update(users).set({ deleted_at: new Date() }).where(eq(users.id, deleted))

const hour = 3600 * 1000
beforeEach(() => {
  advanceClock(24 * hour)
})

async function trySignIn(at: string, email: string, secret: string, headers: Record<string, string> = {}) {
  const client = new ApiClient(at)
  await client.fetch('/sanctum/csrf-cookie')
  return client.send('POST', '/api/login', { email, password: secret }, headers)
}
const readStatuses = async (responses: Promise<Response>[]) =>
  (await Promise.all(responses)).map(({ status }) => status).sort()

describe('a sign-in attempt', () => {
  const variants = {
    'a wrong password': 'anna@kustos.test',
    'an unknown user': 'nobody@kustos.test',
    'a deleted user': 'deleted@kustos.test',
  }

  it('does not reveal by its response whether the user exists', async () => {
    const results = await Promise.all(
      Object.values(variants).map(async (email) => {
        const response = await trySignIn(origin, email, 'wrong')
        const headers = [...response.headers].filter(
          ([name]) => !['date', 'x-request-id', 'set-cookie'].includes(name),
        )
        return {
          status: response.status,
          headers,
          text: await response.text(),
          cookies: response.headers.getSetCookie().length,
        }
      }),
    )
    expect(results[0]?.status).toBe(401)
    for (const result of results) expect(result).toEqual(results[0])
  })

  it('does not reveal by its limits whether the user exists', async () => {
    for (const email of Object.values(variants)) {
      const statuses: number[] = []
      for (let time = 0; time < 6; time++) statuses.push((await trySignIn(origin, email, 'wrong')).status)
      expect([email, statuses]).toEqual([email, [401, 401, 401, 401, 401, 429]])
    }
  })

  it('prints how long known and unknown users take', async () => {
    const clara = await createUser(database, 'clara@kustos.test', [])
    await db
      .update(users)
      .set({ password_hash: await hashPassword(password) })
      .where(eq(users.id, clara))
    const times = new Map<string, number[]>()
    for (let time = 0; time < 10; time++) {
      advanceClock(2 * hour)
      const email = time % 2 === 0 ? 'clara@kustos.test' : 'nobody@kustos.test'
      const started = performance.now()
      await trySignIn(origin, email, 'wrong')
      times.set(email, [...(times.get(email) ?? []), performance.now() - started])
    }
    const [known = 0, unknown = 1] = [...times.values()].map((each) => each.sort((x, y) => x - y)[2])
    process.stdout.write(
      `a wrong password takes ${(known / unknown).toFixed(2)} times as long as an unknown e-mail\n`,
    )
    // Both compute a hash; otherwise an unknown e-mail would take a tenth of the time.
    expect(known / unknown).toBeGreaterThan(0)
  })
})

describe('guesses', () => {
  /** Records failed sign-ins of different users. */
  const spray = async (count: number) => {
    await db.delete(signInLimits)
    await db.insert(signInLimits).values({ key: '127.0.0.1', points: count, expire: Date.now() + hour })
  }

  it('are limited to a hundred per hour from one address, then even the right password is rejected', async () => {
    await spray(98)
    for (const status of [401, 401, 429])
      expect((await trySignIn(origin, `next-${status}@kustos.test`, 'wrong')).status).toBe(status)
    const rejected = await trySignIn(origin, 'anna@kustos.test', password)
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '3600'])
    // Other addresses are not affected.
    expect(
      (await trySignIn(proxied, 'anna@kustos.test', password, { 'x-forwarded-for': '198.51.100.9' })).status,
    ).toBe(204)
    advanceClock(hour)
    expect((await trySignIn(origin, 'anna@kustos.test', password)).status).toBe(204)
  })

  it('are limited per /64 network for IPv6 and per address for IPv4, in any notation', async () => {
    const signInFrom = async (address: string, secret = 'wrong') =>
      (await trySignIn(proxied, 'anna@kustos.test', secret, { 'x-forwarded-for': address })).status
    for (const end of ['::1', '::2', ':0:0:0:3', ':1::', ':abcd:ef01:2345:6789'])
      expect(await signInFrom(`2001:db8:0:7${end}`)).toBe(401)
    expect(await signInFrom('2001:0DB8:0000:7:1234::1')).toBe(429)
    expect(await signInFrom('2001:db8:0:8::1', password)).toBe(204)
    for (const address of ['198.51.100.20', '::ffff:198.51.100.20', '::FFFF:c633:6414'])
      expect(await signInFrom(address)).toBe(401)
    expect([
      await signInFrom('198.51.100.20'),
      await signInFrom('198.51.100.20'),
      await signInFrom('198.51.100.20'),
    ]).toEqual([401, 401, 429])
    expect(await signInFrom('::ffff:198.51.100.21', password)).toBe(204)
  })

  it('are limited even if they are simultaneous', async () => {
    await spray(95)
    const guesses = Array.from({ length: 20 }, (_, n) =>
      trySignIn(origin, `at-once-${n}@kustos.test`, 'wrong'),
    )
    expect(await readStatuses(guesses)).toEqual([...Array(5).fill(401), ...Array(15).fill(429)])
  })

  it('are limited without counting right passwords', async () => {
    await db.delete(signInLimits)
    for (let time = 0; time < 8; time++)
      expect((await trySignIn(origin, 'anna@kustos.test', password)).status).toBe(204)
    expect((await db.select().from(signInLimits)).filter(({ points }) => points !== 0)).toEqual([])
  })

  it('are limited for all spellings of an e-mail together', async () => {
    const spellings = [
      'anna@kustos.test',
      'ANNA@kustos.test',
      ' anna@kustos.test ',
      'Anna@Kustos.Test',
      '\tanna@kustos.test',
    ]
    for (const email of spellings) expect((await trySignIn(origin, email, 'wrong')).status).toBe(401)
    expect((await trySignIn(origin, 'aNNa@kustos.test', 'wrong')).status).toBe(429)
  })
})

describe("strangers' guesses", () => {
  /** Signs in from an address of one's own, as with a browser that keeps its cookies. */
  const attemptFrom = async (client: ApiClient, email: string, address: string, secret = password) => {
    await client.fetch('/sanctum/csrf-cookie')
    const headers = { 'x-forwarded-for': address }
    return (await client.send('POST', '/api/login', { email, password: secret }, headers)).status
  }
  const readOwnDevice = async (email: string, address: string) => {
    const client = new ApiClient(proxied)
    expect(await attemptFrom(client, email, address)).toBe(204)
    await client.send('POST', '/api/logout')
    return client
  }
  const guessFrom = (addresses: string[], emailOf: (n: number) => string) =>
    Promise.all(
      addresses.map((address, n) => attemptFrom(new ApiClient(proxied), emailOf(n), address, 'wrong')),
    )
  const manyAddresses = Array.from({ length: 50 }, (_, n) => `203.0.113.${n}`)

  it('from many addresses do not lock out a device that has signed in before', async () => {
    const device = await readOwnDevice('anna@kustos.test', '198.51.100.1')
    expect(await guessFrom(manyAddresses, () => 'anna@kustos.test')).toEqual(Array(50).fill(401))
    expect(await attemptFrom(new ApiClient(proxied), 'anna@kustos.test', '198.51.100.2')).toBe(429)
    expect(await attemptFrom(device, 'ANNA@kustos.test', '198.51.100.2')).toBe(204)
  })

  it('from the same address do not lock out a device that has signed in before', async () => {
    const device = await readOwnDevice('anna@kustos.test', '198.51.100.1')
    await guessFrom(Array(5).fill('198.51.100.1'), () => 'anna@kustos.test')
    expect(await attemptFrom(new ApiClient(proxied), 'anna@kustos.test', '198.51.100.1')).toBe(429)
    expect(await attemptFrom(device, 'anna@kustos.test', '198.51.100.1')).toBe(204)
    await guessFrom(Array(100).fill('198.51.100.1'), (n) => `sprayed-${n}@kustos.test`)
    expect(await attemptFrom(new ApiClient(proxied), 'bert@kustos.test', '198.51.100.1')).toBe(429)
    expect(await attemptFrom(device, 'anna@kustos.test', '198.51.100.1')).toBe(204)
  })

  it('do not lock out any user of a shared device', async () => {
    const device = await readOwnDevice('anna@kustos.test', '198.51.100.1')
    expect(await attemptFrom(device, 'bert@kustos.test', '198.51.100.1')).toBe(204)
    for (const email of ['anna@kustos.test', 'bert@kustos.test']) {
      await guessFrom(manyAddresses, () => email)
      expect(await attemptFrom(device, email, '198.51.100.2')).toBe(204)
    }
  })

  it('are limited on a device that has signed in before as well', async () => {
    const device = await readOwnDevice('anna@kustos.test', '198.51.100.1')
    const statuses = []
    for (let n = 0; n < 6; n++)
      statuses.push(await attemptFrom(device, 'anna@kustos.test', `198.51.100.${n}`, 'wrong'))
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    // Which locks out nobody else.
    expect(await attemptFrom(new ApiClient(proxied), 'anna@kustos.test', '198.51.100.9')).toBe(204)
  })

  it("are not exempt with another user's device or a forged one", async () => {
    const device = await readOwnDevice('bert@kustos.test', '198.51.100.1')
    await guessFrom(manyAddresses, () => 'anna@kustos.test')
    expect(await attemptFrom(device, 'anna@kustos.test', '198.51.100.2')).toBe(429)
    const cookie = device.cookies.get('kustos_device') ?? ''
    const [id = '', users = '', signature = ''] = decodeURIComponent(cookie).split('.')
    for (const forged of [
      `${id}.${anna}.${signature}`,
      `${id}.${users}-${anna}.${signature}`,
      `${id}.${anna}`,
      `.${anna}.${signature}`,
      '.',
      'x'.repeat(4000),
    ]) {
      device.cookies.set('kustos_device', encodeURIComponent(forged))
      expect([forged, await attemptFrom(device, 'anna@kustos.test', '198.51.100.2')]).toEqual([forged, 429])
    }
  })

  it('are limited by all processes of the API together', async () => {
    const other = await listen(database, { trustProxy: ['127.0.0.1'] })
    const statuses = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        attemptFrom(
          new ApiClient(n % 2 === 0 ? proxied : other),
          'anna@kustos.test',
          '198.51.100.1',
          `guess ${n}`,
        ),
      ),
    )
    expect(statuses.sort()).toEqual([...Array(5).fill(401), ...Array(15).fill(429)])
  })
})

describe('a claimed address', () => {
  const claims = (n: number) => [
    { 'x-forwarded-for': `203.0.113.${n}` },
    { 'x-real-ip': `203.0.113.${n}` },
    { forwarded: `for=203.0.113.${n}` },
    {
      'x-client-ip': `203.0.113.${n}`,
      'cf-connecting-ip': `203.0.113.${n}`,
      'true-client-ip': `203.0.113.${n}`,
    },
  ]

  it('evades no limit if no proxy is trusted', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 8; n++)
      statuses.push(
        (await trySignIn(origin, 'anna@kustos.test', 'wrong', claims(n)[n % 4] as Record<string, string>))
          .status,
      )
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
  })

  it('evades no limit behind a trusted proxy, whose own entry counts', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 7; n++) {
      const headers = { 'x-forwarded-for': `203.0.113.${n}, 198.51.100.7` }
      statuses.push((await trySignIn(proxied, 'anna@kustos.test', 'wrong', headers)).status)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429])
    const elsewhere = { 'x-forwarded-for': '198.51.100.8' }
    expect((await trySignIn(proxied, 'anna@kustos.test', password, elsewhere)).status).toBe(204)
  })

  it.each(['198.51.100.30:%d', '[2001:db8:0:9::1]:%d'])(
    'evades no limit behind a trusted proxy that adds the port, as %s',
    async (entry) => {
      const signInFrom = async (port: number) =>
        (
          await trySignIn(proxied, 'anna@kustos.test', 'wrong', {
            'x-forwarded-for': entry.replace('%d', String(port)),
          })
        ).status
      const statuses: number[] = []
      for (let port = 50_000; port < 50_007; port++) statuses.push(await signInFrom(port))
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429])
    },
  )

  it('is that of the client also behind two trusted proxies that add the port', async () => {
    const signInFrom = async (client: string, guess: string) =>
      (
        await trySignIn(proxied, 'anna@kustos.test', guess, {
          'x-forwarded-for': `${client}:50001, 127.0.0.1:50002`,
        })
      ).status
    for (let n = 0; n < 5; n++) await signInFrom('198.51.100.40', 'wrong')
    expect(await signInFrom('198.51.100.40', 'wrong')).toBe(429)
    expect(await signInFrom('198.51.100.41', password)).toBe(204)
  })

  it('does not affect the Secure flag unless a trusted proxy sends it', async () => {
    const readCookies = async (at: string, headers: Record<string, string>) =>
      (await fetch(`${at}/sanctum/csrf-cookie`, { headers })).headers.getSetCookie()
    const secure = (cookies: string[]) => cookies.map((cookie) => /; ?Secure/i.test(cookie))
    expect(secure(await readCookies(origin, { 'x-forwarded-proto': 'https' }))).toEqual([false, false])
    expect(secure(await readCookies(proxied, { 'x-forwarded-proto': 'https' }))).toEqual([true, true])
    expect(secure(await readCookies(proxied, { 'x-forwarded-proto': 'http' }))).toEqual([false, false])
    for (const cookies of [await readCookies(proxied, { 'x-forwarded-host': 'evil.test' })])
      expect(cookies.join()).not.toMatch(/evil|Domain=/i)
  })
})
