import { file, type Route, urlOf } from '@kustos/contract/route'
import { testDatabase } from '@kustos/database/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { listen } from '../api-client.ts'
import { buildLoggedCalls } from '../logged-calls/index.ts'
import { createLoggedFixtures } from '../logged-fixtures.ts'
import { routes } from '../routes.ts'
import { snapshotUsersAndRoles } from '../users-and-roles.ts'
import { credentialsOf, sendRequest } from './raw-http.ts'
import { spreadOver } from './spread.ts'

const database = await testDatabase()
const origin = await listen(database)
const proxied = await listen(database, { trustProxy: ['127.0.0.1'] })
const fixtures = await createLoggedFixtures(database, origin)
const calls = buildLoggedCalls(fixtures)
const { admin } = fixtures

describe('prototype pollution', () => {
  const expectCleanPrototypes = () => {
    for (const name of ['polluted', 'is_admin', 'statusCode', 'isAdmin']) {
      expect(Object.hasOwn(Object.prototype, name)).toBe(false)
      expect(Reflect.get({}, name)).toBeUndefined()
      expect(Reflect.get([], name)).toBeUndefined()
    }
  }
  /** The body with a payload in it, by a field of the route. */
  const pollute = [
    '"__proto__":{"polluted":1,"is_admin":true}',
    '"constructor":{"prototype":{"polluted":1}}',
  ].flatMap((one): ((json: string, field: string) => string)[] => [
    (json) => json.replace('{', `{${one},`),
    (_, field) => `{"${field}":{${one}}}`,
    (_, field) => `{"${field}":[{${one}}]}`,
    (_, field) => `{"${field}":{"a":{"b":[[{${one}}]]}}}`,
    () => `[{${one}}]`,
    (json) =>
      json.replace(
        '{',
        `{${one.replace('__proto__', '\\u005f_proto__').replace('constructor', '\\u0063onstructor')},`,
      ),
  ])
  const withBody = Object.entries(routes).filter(
    // A preview takes the body of its change.
    ([, route]) => route.body !== undefined && route.isPreview !== true,
  )

  // Bodies are parsed before the route is called.
  it.each(spreadOver(withBody, pollute))(
    'the body of %s pollutes no prototype, at any depth',
    async (name, route, polluted) => {
      const call = await calls[name]?.()
      if (!call) throw new Error(`There is no body for ${name}`)
      const field = Object.keys(route.body?.shape ?? {})[0] ?? 'a'
      for (const bodyOf of polluted) {
        const body = bodyOf(JSON.stringify(call.body), field)
        const response = await (call.by ?? admin).send(route.method, urlOf(route, call.params), body)
        expect([body, response.status]).toEqual([body, 400])
      }
      expectCleanPrototypes()
    },
  )

  it('a query in any notation pollutes no prototype', async () => {
    for (const query of [
      '__proto__[polluted]=1',
      '__proto__.polluted=1',
      '__proto__=1',
      'constructor[prototype][polluted]=1',
      'constructor.prototype.polluted=1',
      'f.__proto__=1',
      'f.constructor=x',
      'sort=__proto__',
      'sets=__proto__,constructor',
    ]) {
      const files = /^(f\.|s)/.test(query) ? ['/api/webs/export'] : []
      for (const path of [
        ...files,
        '/api/webs',
        '/api/logs',
        '/api/deployments',
        '/api/monitoring/incidents',
      ]) {
        const { status } = await admin.fetch(`${path}?${query}`)
        expect([query, path, [200, 422, 429].includes(status)]).toEqual([query, path, true])
      }
    }
    expectCleanPrototypes()
  }, 30_000)
})

describe('header injection', () => {
  const lineBreaks = [
    '%0d%0aX-Injected:%20yes',
    '%0aX-Injected:%20yes',
    '%0dX-Injected:%20yes',
    '%E5%98%8A%E5%98%8DX-Injected:yes',
    '%23%0d%0aX-Injected:yes',
  ]

  it('a path or query injects no header', async () => {
    for (const one of lineBreaks) {
      for (const path of [
        `/${one}`,
        `/api/webs/${one}`,
        `/api/webs/export?lang=${one}`,
        ...(one === lineBreaks[0] ? [`/api/webs/export?sets=${one}&q=${one}`] : []),
        `/api/docs?${one}`,
        `/api/docs${one}`,
        `/assets/${one}`,
        `/sanctum/csrf-cookie?${one}`,
      ]) {
        const { text, statuses } = await sendRequest(origin, 'GET', path, credentialsOf(admin))
        expect(statuses).toHaveLength(1)
        expect(text).not.toMatch(/^x-injected/im)
      }
    }
  }, 30_000)

  it('a body whose values are in the response injects no header', async () => {
    const { id } = await fixtures.web({ repository: 'web134-kickstarter-base' })
    const response = await admin.send('POST', '/api/deployment/backupWeb', {
      id,
      Location: '\r\nX-Injected: yes',
    })
    expect(response.headers.get('location')).toMatch(/^\/api\/deployments\/\d+$/)
    const inspection = await admin.send('POST', `/api/request/updateTracking/${id}`)
    expect(inspection.headers.get('location')).toMatch(/^\/api\/inspections\/\d+$/)
  })

  it('the request id of a trusted proxy injects no header', async () => {
    for (const requestId of [
      'aaaaaaaa\rX-Injected: yes',
      'aaaaaaaa\r\n X-Injected: yes',
      'aaaaaaaa%0d%0aX-Injected: yes',
      'aaaaaaaa\u0000X-Injected: yes',
      'aaaaaaaa\u0085X-Injected: yes',
      'aaaaaaaa, bbbbbbbb',
      '<script>aaaaaaaa',
    ]) {
      const { text } = await sendRequest(proxied, 'GET', '/api/health', { 'x-request-id': requestId })
      expect(text).not.toMatch(/x-injected|<script|bbbb/i)
    }
  })

  it('a file name injects no header', async () => {
    const { headers } = await admin.fetch('/api/webs/export?lang=de&name=x%22%0d%0a.exe')
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="webs-\d{4}-\d\d-\d\d\.xlsx"$/)
  })
})

describe('SQL is not injected by query parameters', () => {
  const payloads = [
    "' or '1'='1",
    "1' union select password_hash from users--",
    '1; drop table webs; --',
    "1'; select pg_sleep(30); --",
    "'||(select pg_sleep(30))||'",
    '1)) or 1=1--',
    '$$; select 1; $$',
    '{"$gt":""}',
    '1 OR 1=1',
    '\\',
    '%',
    '_',
    '9999-12-31T23:59:59-23:59',
    '0001-01-01T00:00:00+23:59',
    '0000-01-01T00:00:00Z',
    '(a+)+$',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '[',
    '*',
    '\u0000',
    '#{process.exit()}',
  ]
  let before = ''
  beforeAll(async () => {
    before = await snapshotUsersAndRoles(database)
  })
  // Export query parameters never reach the database (../export.test.ts).
  const routesWithQuery = Object.entries(routes).filter(
    ([, { query, response }]) => query !== undefined && response !== file,
  )

  it.each(routesWithQuery)(
    '%s',
    async (_, route: Route) => {
      const fields = [...Object.keys(route.query?.shape ?? {}), 'unknown']
      for (const field of fields) {
        // What the route does not know is dropped before it is called, whatever its value.
        for (const payload of field === 'unknown' ? payloads.slice(0, 1) : payloads) {
          const url = urlOf(
            route,
            { id: 1, code: 'NOBODY', name: 'nowhere', fqdn: 'nowhere.test', override: 1, exception: 1 },
            { web: '1', begin: '2026-01-01', end: '2026-01-02', [field]: payload },
          )
          const response = await admin.fetch(url)
          // 404: there is no web or deployment 1.
          expect([url, [200, 404, 422].includes(response.status)]).toEqual([url, true])
          expect(await response.text()).not.toMatch(/argon2|syntax error|postgres|relation "/i)
        }
      }
      expect(await snapshotUsersAndRoles(database)).toBe(before)
    },
    60_000,
  )
})
