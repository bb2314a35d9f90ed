import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openCookies } from '../src/legacy/cookies.ts'
import { type Legacy, LegacyError } from '../src/legacy/index.ts'
import { answering, startLegacyServer } from './legacy-server.ts'
import { selfSigned } from './probe-certificates.ts'

const server = await startLegacyServer()
const { state, origin } = server
const opened: Legacy[] = []
afterAll(async () => {
  await Promise.all(opened.map((legacy) => legacy.close()))
  await server.stop()
})

function open(...options: Parameters<typeof server.open>): Legacy {
  const legacy = server.open(...options)
  opened.push(legacy)
  return legacy
}

const categories = [{ id: 1, name: 'Hotel' }]

beforeEach(() => {
  state.answers.clear()
  state.lists = new Map<string, unknown>([
    ['/api/users/current', { id: 1 }],
    ['/api/categories', categories],
  ])
  Object.assign(state, { cookies: [], asked: [], frontEnd: '' })
})

async function signedIn(...options: Parameters<typeof server.open>) {
  const legacy = open(...options)
  await legacy.signIn('a@former.test', 'pass phrase 17')
  state.asked = []
  return legacy
}

async function failureOf(answer: Promise<unknown>) {
  const error = await answer.catch((reason: unknown) => reason)
  if (!(error instanceof LegacyError)) throw new Error(`It did not fail as it should: ${error}`)
  expect(error.message).not.toContain('pass phrase 17')
  return [error.failure, error.message]
}

describe('the session', () => {
  test('is had with a token that changes with each answer, and ended', async () => {
    const legacy = open()
    await legacy.signIn('a@former.test', 'pass phrase 17')
    expect((await legacy.categories()).rows).toEqual(categories)
    await legacy.signOut()
    expect(state.asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /sanctum/csrf-cookie',
      'POST /api/login',
      'GET /api/users/current',
      'GET /api/categories',
      'POST /api/logout',
    ])
    expect(await failureOf(legacy.categories())).toEqual([
      'refused',
      'The former system does not let this login use /api/categories (401).',
    ])
  })

  test('a token that has expired is fetched again, once', async () => {
    state.answers.set('/api/login', [answering(419)])
    await signedIn()
    state.answers.set('/api/login', [answering(419), answering(419)])
    expect(await failureOf(open().signIn('a@former.test', 'pass phrase 17'))).toEqual([
      'unreadable',
      'The former system does not accept the token of its own session at /api/login (419).',
    ])
  })

  test.each([
    ['the wrong one', undefined, /does not accept this e-mail and password\.$/],
    ['pass phrase 17', 'https://console.former.test', /does not know the session: .*--origin/],
  ])('is refused: %s, front end %s', async (password, frontEnd, sentence) => {
    state.frontEnd = frontEnd ?? ''
    expect(await failureOf(open().signIn('a@former.test', password))).toEqual([
      'credentials',
      expect.stringMatching(sentence),
    ])
  })

  test('belongs to its front end, which may lie elsewhere', async () => {
    state.frontEnd = 'https://console.former.test'
    await signedIn({ frontEnd: 'https://console.former.test/' })
  })

  test('too many sign-ins are not tried again', async () => {
    state.answers.set('/api/login', [answering(429, { 'retry-after': '60' })])
    expect(await failureOf(open().signIn('a@former.test', 'pass phrase 17'))).toEqual([
      'busy',
      expect.stringMatching(/Try again in 60 s\.$/),
    ])
  })
})

describe('cookies are kept as by a browser', () => {
  const from = new URL('https://former.test/api/login')
  const now = Date.parse('2026-11-21T12:00:00Z')
  const sent = (lines: string[], to: string, at = now) => {
    const cookies = openCookies()
    cookies.take(lines, from, now)
    return cookies.header(new URL(to), at)
  }
  test.each([
    ['by path', ['a=1; path=/api', 'b=2; path=/', 'c=3'], 'https://former.test/api/webs', 'a=1; c=3; b=2'],
    ['a path is no beginning of a name', ['a=1; path=/ap'], 'https://former.test/api/webs', ''],
    ['Secure ones over TLS alone', ['a=1; Secure', 'b=2'], 'http://former.test/api/webs', 'b=2'],
    [
      'those of others are not',
      ['a=1; domain=evil.test', 'b=2; domain=.former.test'],
      'https://former.test/api/x',
      'b=2',
    ],
    ['the last one counts', ['a=1; path=/', 'a=2; path=/'], 'https://former.test/', 'a=2'],
    ['without a name they are none', ['=1', 'nothing', ' ; path=/'], 'https://former.test/api/', ''],
    ['one that has ended is gone', ['a=1; path=/', 'a=; path=/; max-age=0'], 'https://former.test/', ''],
    ['by its date too', ['a=1; path=/; expires=Sat, 21 Nov 2026 11:00:00 GMT'], 'https://former.test/', ''],
    [
      'max-age goes before expires',
      ['a=1; path=/; max-age=9; expires=Sat, 21 Nov 2020 11:00:00 GMT'],
      'https://former.test/',
      'a=1',
    ],
  ])('%s', (_, lines, to, expected) => {
    expect(sent(lines, to)).toBe(expected)
  })
  test('until they end', () => {
    expect(sent(['a=1; path=/; max-age=60'], 'https://former.test/', now + 59_000)).toBe('a=1')
    expect(sent(['a=1; path=/; max-age=60'], 'https://former.test/', now + 60_000)).toBe('')
  })
})

describe('an answer that is none', () => {
  test.each<[string, ReturnType<typeof answering>[], string, RegExp]>([
    ['a page', [answering(200, {}, '<html>')], 'unreadable', /a page \(HTML\) to \/api\/categories/],
    ['no JSON', [answering(200, {}, '[{]')], 'unreadable', /something that is not JSON/],
    ['no list', [answering(200, {}, '{"data": 7}')], 'unreadable', /categories are not a list/],
    ['forbidden', [answering(403)], 'refused', /does not let this login use \/api\/categories \(403\)/],
    [
      'another place',
      [answering(302, { location: 'https://evil.test/api/categories' })],
      'unreadable',
      /points to https:\/\/evil\.test, which is another place and not followed/,
    ],
    [
      'a ring',
      Array.from({ length: 9 }, () => answering(302, { location: '/api/categories' })),
      'unreadable',
      /points nowhere/,
    ],
    [
      'out of order for long',
      Array.from({ length: 3 }, () => answering(503)),
      'broken',
      /out of order at \/api\/categories \(503\)/,
    ],
    ['no rest is long enough', [answering(429, { 'retry-after': '90000' })], 'busy', /wants 90000 s of rest/],
  ])('%s', async (_, answers, failure, sentence) => {
    const legacy = await signedIn()
    state.answers.set('/api/categories', answers)
    expect(await failureOf(legacy.categories())).toEqual([failure, expect.stringMatching(sentence)])
  })

  test('silence, and one byte now and then, have their time', async () => {
    const legacy = await signedIn({ timeout: 150, waits: [] })
    state.answers.set('/api/categories', [() => undefined])
    expect(await failureOf(legacy.categories())).toEqual([
      'unreachable',
      'The former system did not answer within 1 s.',
    ])
    state.answers.set('/api/categories', [
      (_, response) => {
        const drip = setInterval(() => response.write(' '), 50)
        response.on('close', () => clearInterval(drip))
      },
    ])
    expect((await failureOf(legacy.categories()))[0]).toBe('unreachable')
  })

  test('more than anybody would read', async () => {
    const legacy = await signedIn({ timeout: 5_000 })
    state.answers.set('/api/monitoring/webs/uptime', [
      (_, response) => {
        const flood = () => {
          while (response.write(Buffer.alloc(65_536, 32)));
        }
        response.on('drain', flood)
        flood()
      },
    ])
    expect(await failureOf(legacy.uptime(1, '2026-01-01', '2026-01-02'))).toEqual([
      'unreadable',
      'The former system answered more than Kustos is willing to read.',
    ])
  })

  test('nobody there', async () => {
    const gone = createServer().listen(0, '127.0.0.1')
    await once(gone, 'listening')
    const url = `http://127.0.0.1:${(gone.address() as AddressInfo).port}`
    gone.close()
    expect(await failureOf(open({ url }).signIn('a', 'b'))).toEqual([
      'unreachable',
      expect.stringMatching(/cannot be reached: nothing answers at its address\.$/),
    ])
  })
})

test('what time heals is asked again: a failure, a broken connection, too many questions for all who ask', async () => {
  const legacy = await signedIn()
  state.answers.set('/api/categories', [answering(502), ({ socket }) => socket.destroy()])
  expect((await legacy.categories()).rows).toEqual(categories)
  state.answers.set('/api/categories', [answering(429, { 'retry-after': '1' })])
  state.asked = []
  const first = legacy.categories()
  await expect.poll(() => state.asked.length).toBe(1)
  await Promise.all([first, legacy.categories()])
  const [asked = 0, ...later] = state.asked.map(({ at }) => at)
  expect(later).toHaveLength(2)
  // The second one, too, once the first has heard.
  expect(Math.min(...later) - asked).toBeGreaterThanOrEqual(900)
})

test('a redirect within the same place is followed', async () => {
  const legacy = await signedIn()
  state.answers.set('/api/categories', [answering(307, { location: `${origin}/api/categories?page=all` })])
  expect((await legacy.categories()).rows).toEqual(categories)
})

test.each([
  ['http://former.test', /does not leave this machine without TLS/],
  ['ftp://former.test', /is no address/],
  ['https://user:password@former.test', /is no address/],
  ['former', /is no address/],
])('a password does not go to %s', (url, sentence) => {
  expect(() => open({ url })).toThrow(sentence)
})

test('nor to a host whose certificate nobody vouches for', async () => {
  let asked = 0
  const tls = createTlsServer(await selfSigned({ names: ['localhost'] }), (_, response) => {
    asked++
    response.end()
  }).listen(0, '127.0.0.1')
  await once(tls, 'listening')
  const url = `https://localhost:${(tls.address() as AddressInfo).port}`
  const [failure, sentence] = await failureOf(open({ url }).signIn('a@former.test', 'pass phrase 17'))
  expect([failure, sentence]).toEqual(['unreachable', expect.stringMatching(/certificate|SELF_SIGNED/i)])
  expect(asked).toBe(0)
  tls.close()
})

describe('rows are read as PHP and MySQL write them', () => {
  const read = async (row: object) => {
    const legacy = await signedIn()
    state.lists.set('/api/users', { data: { 3: row, 7: { id: 'x' } } })
    return legacy.users()
  }
  test('and a wrong one leaves the others', async () => {
    expect(
      await read({
        id: '12',
        email: 'a@b.test',
        name: 17,
        roles: null,
        monitoring_mail_subscription: '1',
        created_at: '2020-01-02 03:04:05',
        updated_at: '2020-01-02T03:04:05.000000Z',
        deleted_at: '',
        unheard_of: 1,
      }),
    ).toEqual({
      rows: [
        {
          id: 12,
          email: 'a@b.test',
          name: '17',
          roles: [],
          monitoring_mail_subscription: true,
          created_at: new Date('2020-01-02T03:04:05Z'),
          updated_at: new Date('2020-01-02T03:04:05Z'),
          deleted_at: null,
        },
      ],
      wrong: ['row 2 (id x): email: Must be text; name: Must be text.'],
    })
  })
  test.each([
    [
      'roles',
      [{ id: 1, name: 'a' }, 2, 'c'],
      [
        { id: 1, name: 'a' },
        { id: 2, name: null },
        { id: null, name: 'c' },
      ],
    ],
    ['created_at', 1_577_934_245, new Date('2020-01-02T03:04:05Z')],
    ['created_at', '0000-00-00 00:00:00', null],
    ['created_at', '-0001-11-30T00:00:00.000000Z', null],
    ['created_at', '2020-01-02', new Date('2020-01-02T00:00:00Z')],
    ['monitoring_mail_subscription', null, false],
    ['id', -3, null],
    ['id', 99_999_999_999, null],
  ])('%s: %j', async (field, told, expected) => {
    const { rows, wrong } = await read({ email: 'a@b.test', name: 'A', [field]: told })
    expect(wrong).toHaveLength(1)
    expect(rows).toMatchObject([{ [field]: expected }])
  })
  test.each([
    ['created_at', 'yesterday'],
    ['name', { first: 'A' }],
    ['name', 'N\u0000L'],
    ['roles', 'none'],
    ['monitoring_mail_subscription', 'perhaps'],
  ])('wrong is %s: %j', async (field, told) => {
    const { rows, wrong } = await read({ email: 'a@b.test', name: 'A', [field]: told })
    expect(rows).toEqual([])
    expect(wrong[0]).toMatch(new RegExp(`^a@b\\.test: ${field}: `))
  })
})
