import { type Route, urlOf } from '@kustos/contract/route'
import { logEntries } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { ApiClient, createUser, listen, signIn } from '../api-client.ts'
import { routes } from '../routes.ts'
import { snapshotUsersAndRoles } from '../users-and-roles.ts'
import { credentialsOf, sendRequest } from './raw-http.ts'
import { spreadOver } from './spread.ts'

const database = await testDatabase()
const origin = await listen(database)
const admin = await createUser(database, 'admin@kustos.test', 'admin')
await createUser(database, 'mallory@kustos.test', [])

let victim = new ApiClient(origin)
let attacker = new ApiClient(origin)
let before = ''
beforeAll(async () => {
  victim = await signIn(origin, 'admin@kustos.test')
  attacker = await signIn(origin, 'mallory@kustos.test')
  before = await snapshotUsersAndRoles(database)
})

const readToken = (client: ApiClient) => decodeURIComponent(client.cookies.get('XSRF-TOKEN') ?? '')
const changingRoutes = Object.entries(routes).filter(([, route]) => route.method !== 'GET')
const body = JSON.stringify({
  email: 'evil@kustos.test',
  name: 'Evil',
  password: 'evil evil evil evil',
  roles: [1],
})

const formTypes = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']
const wrongTokens = [
  () => readToken(attacker),
  () => '',
  () => 'undefined',
  () => 'null',
  () => `${readToken(victim)} `.repeat(2),
  () => 'a'.repeat(44),
]
const otherTypes = [
  ...formTypes,
  'text/plain; charset=utf-8',
  'application/xml',
  'application/jsonp',
  'text/json',
  'application/csp-report',
  'x/y;application/json',
]
const otherMethods = ['HEAD', 'OPTIONS', 'PATCH', 'LINK', 'PROPFIND', 'SEARCH', 'MKCOL', 'post', 'delete']

describe('a change sent by another site', () => {
  /** Sends the cookies, like a browser without SameSite. */
  const forge = (route: Route, headers: Record<string, string>, content: string) =>
    victim.fetch(
      urlOf(route, {
        id: admin,
        code: 'NOBODY',
        name: 'nowhere',
        fqdn: 'nowhere.test',
        override: 1,
        exception: 1,
      }),
      {
        method: route.method,
        headers,
        body: content,
      },
    )

  // The token is compared before the route is called.
  it.each(spreadOver(changingRoutes, formTypes))(
    '%s is rejected with what forms can send',
    async (_, route, types) => {
      for (const type of types)
        expect([type, (await forge(route, { 'content-type': type }, body)).status]).toEqual([type, 419])
    },
  )

  it.each(spreadOver(changingRoutes, wrongTokens))(
    '%s is rejected with what cross-origin scripts can send',
    async (_, route, tokens) => {
      for (const tokenOf of tokens) {
        const token = tokenOf()
        expect([token, (await forge(route, { 'x-xsrf-token': token }, body)).status]).toEqual([token, 419])
      }
    },
  )

  it('is rejected unless the token is in its header', async () => {
    const token = readToken(victim)
    const path = `/api/users/${admin}`
    for (const [url, headers, content] of [
      [`${path}?_token=${encodeURIComponent(token)}`, {}, body],
      [`${path}?x-xsrf-token=${encodeURIComponent(token)}`, {}, body],
      [path, { 'content-type': 'application/json' }, JSON.stringify({ ...JSON.parse(body), _token: token })],
      [path, { 'x-csrf-token': token }, body],
      [path, { authorization: `Bearer ${token}` }, body],
    ] as const) {
      expect((await victim.fetch(url, { method: 'PUT', headers, body: content })).status).toBe(419)
    }
  })

  it('is rejected with two tokens, one of them valid', async () => {
    const { cookie, 'x-xsrf-token': token } = credentialsOf(victim)
    const head = { cookie, 'x-xsrf-token': `${token}\r\nx-xsrf-token: other` }
    expect((await sendRequest(origin, 'DELETE', '/api/webs/1', head)).statuses).toEqual([419])
  })

  it.each(spreadOver(changingRoutes, otherTypes))(
    '%s is rejected with a valid token in another media type',
    async (_, route, types) => {
      const token = { 'x-xsrf-token': readToken(victim) }
      for (const type of types) {
        const { status } = await forge(route, { ...token, 'content-type': type }, body)
        expect([type, status]).toEqual([type, 415])
      }
    },
  )

  it('is rejected without a token from another origin', async () => {
    for (const headers of [
      { origin: 'https://evil.test', referer: 'https://evil.test/' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
    ])
      expect((await victim.fetch('/api/logout', { method: 'POST', headers })).status).toBe(419)
  })
})

describe('the method is that of the request line', () => {
  const overrides = {
    'x-http-method-override': 'DELETE',
    'x-http-method': 'DELETE',
    'x-method-override': 'DELETE',
  }

  it('headers, query and body do not change the method', async () => {
    expect((await victim.fetch(`/api/users/${admin}?_method=DELETE`, { headers: overrides })).status).toBe(
      200,
    )
    const other = JSON.stringify({ _method: 'DELETE' })
    expect((await victim.send('POST', `/api/users/${admin}?_method=DELETE`, other, overrides)).status).toBe(
      404,
    )
    const validBody = JSON.stringify({ _method: 'DELETE', name: 'none' })
    expect((await victim.send('POST', '/api/roles?_method=DELETE', validBody, overrides)).status).toBe(422)
  })

  it('ignores the body of a GET', async () => {
    const json = { 'content-type': 'application/json', 'content-length': String(body.length) }
    const { cookie } = credentialsOf(victim)
    for (const path of ['/api/users', '/api/roles', `/api/users/${admin}`])
      expect((await sendRequest(origin, 'GET', path, { cookie, ...json }, body)).statuses).toEqual([200])
    for (const path of ['/api/login', '/api/logout', '/api/deployment/newWeb'])
      expect((await sendRequest(origin, 'GET', path, { cookie, ...json }, body)).statuses).toEqual([404])
  })

  it.each(changingRoutes)('%s has no alternative method without a token', async (_, route) => {
    const url = urlOf(route, {
      id: admin,
      code: 'NOBODY',
      name: 'nowhere',
      fqdn: 'nowhere.test',
      override: 1,
      exception: 1,
    })
    const { cookie } = credentialsOf(victim)
    const exchanges = otherMethods.map((method) => sendRequest(origin, method, url, { cookie }))
    for (const { statuses } of await Promise.all(exchanges))
      expect(statuses.every((status) => status >= 400 && status < 500)).toBe(true)
  })

  it.each(['TRACE', 'TRACK', 'CONNECT', 'DEBUG'])('%s echoes nothing of the request', async (method) => {
    for (const path of ['/', '/api/users/current', 'evil.test:443']) {
      const exchange = await sendRequest(origin, method, path, {
        cookie: credentialsOf(victim).cookie,
        'x-mark': 'a-mark',
      })
      // Node closes a CONNECT tunnel without a response.
      expect(exchange.statuses.every((status) => status >= 400 && status < 500)).toBe(true)
      expect(exchange.text).not.toMatch(/a-mark|kustos_session/)
      expect(exchange.isClosed).toBe(true)
    }
  })
})

it('no forged request has changed anything', async () => {
  expect(await snapshotUsersAndRoles(database)).toBe(before)
  expect((await victim.fetch('/api/users/current')).status).toBe(200)
  expect(await database.db.$count(logEntries)).toBe(2)
})
