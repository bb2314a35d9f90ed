import { once } from 'node:events'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { catchFailure, openFormerSystem } from './legacy-fixture.ts'
import { respondWith } from './legacy-server.ts'
import { selfSigned } from './probe-certificates.ts'

const { state, categories, open, signIn } = await openFormerSystem()

describe('the session', () => {
  test('signs in with a token that changes with each response, and signs out', async () => {
    const legacy = open()
    await legacy.signIn('a@former.test', 'pass phrase 17')
    expect((await legacy.categories()).rows).toEqual(categories)
    await legacy.signOut()
    expect(state.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /sanctum/csrf-cookie',
      'POST /api/login',
      'GET /api/users/current',
      'GET /api/categories',
      'POST /api/logout',
    ])
    expect(await catchFailure(legacy.categories())).toEqual([
      'refused',
      'The former system does not let this login use /api/categories (401).',
    ])
  })

  test('renews an expired token once', async () => {
    state.responses.set('/api/login', [respondWith(419)])
    await signIn()
    state.responses.set('/api/login', [respondWith(419), respondWith(419)])
    expect(await catchFailure(open().signIn('a@former.test', 'pass phrase 17'))).toEqual([
      'unreadable',
      'The former system does not accept the token of its own session at /api/login (419).',
    ])
  })

  test.each([
    ['wrong', undefined, /does not accept this e-mail and password\.$/],
    ['pass phrase 17', 'https://console.former.test', /does not know the session: .*--origin/],
  ])('is refused for the password %s and the front end %s', async (password, frontendOrigin, sentence) => {
    state.frontendOrigin = frontendOrigin ?? ''
    expect(await catchFailure(open().signIn('a@former.test', password))).toEqual([
      'credentials',
      expect.stringMatching(sentence),
    ])
  })

  test('can be used for a front end with another origin', async () => {
    state.frontendOrigin = 'https://console.former.test'
    await signIn({ frontendOrigin: 'https://console.former.test/' })
  })

  test('does not retry throttled sign-ins', async () => {
    state.responses.set('/api/login', [respondWith(429, { 'retry-after': '60' })])
    expect(await catchFailure(open().signIn('a@former.test', 'pass phrase 17'))).toEqual([
      'busy',
      expect.stringMatching(/Try again in 60 s\.$/),
    ])
  })
})

test.each([
  ['http://former.test', /does not leave this machine without TLS/],
  ['ftp://former.test', /is not an address/],
  ['https://user:password@former.test', /is not an address/],
  ['former', /is not an address/],
])('does not send a password to %s', (url, sentence) => {
  expect(() => open({ url })).toThrow(sentence)
})

test('does not send a password to a host with an untrusted certificate', async () => {
  let requests = 0
  const tls = createTlsServer(await selfSigned({ names: ['localhost'] }), (_, response) => {
    requests++
    response.end()
  }).listen(0, '127.0.0.1')
  await once(tls, 'listening')
  const url = `https://localhost:${(tls.address() as AddressInfo).port}`
  const [failure, sentence] = await catchFailure(open({ url }).signIn('a@former.test', 'pass phrase 17'))
  expect([failure, sentence]).toEqual(['unreachable', expect.stringMatching(/certificate|SELF_SIGNED/i)])
  expect(requests).toBe(0)
  tls.close()
})

test.each([
  ['of a paginator', { current_page: 1, next_page_url: 'https://former.test/api/categories?page=2' }],
  ['of a resource', { links: { next: 'https://former.test/api/categories?page=2' }, meta: { last_page: 2 } }],
])('reports that a list has further pages, %s', async (_, fields) => {
  const legacy = await signIn()
  const data = [{ id: 1, name: 'Hotel' }]
  state.lists.set('/api/categories', { data, ...fields })
  expect(await legacy.categories()).toEqual({
    rows: data,
    wrong: ['The former system lists categories in pages, and only the first one was read.'],
  })
  const last = { next_page_url: null, links: { next: null }, meta: { last_page: 1 } }
  state.lists.set('/api/categories', { data, ...last })
  expect(await legacy.categories()).toEqual({ rows: data, wrong: [] })
})

describe('rows as PHP and MySQL write them', () => {
  const read = async (row: object) => {
    const legacy = await signIn()
    state.lists.set('/api/users', { data: { 3: row, 7: { id: 'x' } } })
    return legacy.users()
  }
  test('are read, except an invalid one', async () => {
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
  ])('are read with %s: %j', async (field, value, expected) => {
    const { rows, wrong } = await read({ email: 'a@b.test', name: 'A', [field]: value })
    expect(wrong).toHaveLength(1)
    expect(rows).toMatchObject([{ [field]: expected }])
  })
  test.each([
    ['created_at', 'yesterday'],
    ['name', { first: 'A' }],
    ['name', 'N\u0000L'],
    ['roles', 'none'],
    ['monitoring_mail_subscription', 'perhaps'],
  ])('are invalid with %s: %j', async (field, value) => {
    const { rows, wrong } = await read({ email: 'a@b.test', name: 'A', [field]: value })
    expect(rows).toEqual([])
    expect(wrong[0]).toMatch(new RegExp(`^a@b\\.test: ${field}: `))
  })
})
