import { type Route, urlOf } from '@kustos/contract/route'
import { discoveredWebs, incidents, inspections, nodes } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { ApiClient, createUser, listen, signIn } from '../api-client.ts'
import { storeRepositories } from '../repositories.ts'
import { routes } from '../routes.ts'
import { sendRequest } from './raw-http.ts'

const database = await testDatabase()
const origin = await listen(database)
await createUser(database, 'admin@kustos.test', 'admin')
const script = '<script>alert(1)</script><img src=x onerror=alert(1)>'

let admin = new ApiClient(origin)
beforeAll(async () => {
  admin = await signIn(origin, 'admin@kustos.test')
  for (const fqdn of ['a.test', 'b.test'])
    await admin.send('POST', '/api/webs', {
      fqdn,
      customer: script,
      comment: script,
      configured_ip: '192.0.2.1',
    })
  await admin.send('POST', '/api/externalDomains', {
    fqdn: 'c.test',
    customer: script,
    domainprovider: script,
  })
  await admin.send('POST', '/api/roles', { name: `${script}`, permissions: [] })
  await admin.send('POST', '/api/batches', { action: 'edit', webs: [1], edits: { comment: `new ${script}` } })
  await storeRepositories(database.db)
  const now = new Date()
  await database.db.insert(nodes).values({ name: script, plesk_fqdn: 'n1.test' })
  await database.db
    .insert(inspections)
    .values({ node_id: 1, kind: 'discovery', state: 'succeeded', created_at: now, ended_at: now })
  await database.db
    .insert(incidents)
    .values({ web_id: 1, started_at: now, last_failed_at: now, watched_until: now, reason: script })
  await database.db.insert(discoveredWebs).values({
    ...{ node_id: 1, fqdn: 'd.test', fqdn_ascii: 'd.test', sysuser: script, owner: script },
    ...{ databases: [script], sites: [script], aliases: [script] },
  })
})

const readRoutes = Object.entries(routes).filter(([, route]) => route.method === 'GET')
const query = { web: '1', begin: '2026-01-01', end: '2026-01-02', kind: 'web_down', q: 'script' }
/** The routes with another status than 200. */
const otherStatuses: Readonly<Record<string, number>> = {
  // Its name is no free text.
  'domains.readDomainRecords': 404,
  'auth.csrfCookie': 204,
  'checks.readTagCheck': 404,
  'deployment.readDeployment': 404,
  'deployment.readDeploymentLines': 404,
  // Nobody has run the batch yet.
  'batches.previewRevert': 409,
  // Inspection 1 is no tracking audit.
  'reports.readReport': 409,
}

function expectSecurityHeaders({ headers }: Response) {
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('x-frame-options')).toMatch(/^(SAMEORIGIN|DENY)$/)
  expect(headers.get('content-security-policy')).toMatch(
    /default-src 'self'; script-src 'self';.*object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'/,
  )
  expect(headers.get('referrer-policy')).toBe('same-origin')
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  expect(headers.get('strict-transport-security')).toMatch(/max-age=\d{7,}/)
  for (const name of ['server', 'x-powered-by', 'x-aspnet-version']) expect(headers.has(name)).toBe(false)
  for (const name of headers.keys()) expect(name).not.toMatch(/^access-control-/)
}

describe('stored text is never served as a page', () => {
  it.each(readRoutes)('%s', async (name, route: Route) => {
    const response = await admin.fetch(
      urlOf(route, { id: 1, code: script, name: script, fqdn: 'nowhere.test' }, query),
    )
    expect(response.status).toBe(otherStatuses[name] ?? 200)
    expectSecurityHeaders(response)
    const type = response.headers.get('content-type')
    if (type?.startsWith('text/csv'))
      expect(response.headers.get('content-disposition')).toMatch(/^attachment;/)
    else if (type !== null) expect(type).toMatch(/^application\/(json; charset=utf-8|vnd\.openxml)/)
    expect(response.headers.get('cache-control')).toMatch(/^(private, )?no-(store|cache)$/)
  })

  it.each([
    ['the response to an unknown path', 'GET', `/api/${encodeURIComponent(script)}`],
    ['the response to an invalid id', 'GET', `/api/webs/${encodeURIComponent(script)}`],
    ['the response to an invalid query', 'GET', `/api/webs?deleted=${encodeURIComponent(script)}`],
    ['the response to an invalid body', 'POST', '/api/webs'],
  ])('in %s', async (_, method, path) => {
    const body = { fqdn: script, customer: { [script]: script }, monitoring_web_reporting_channel: script }
    const response = await admin.send(method, path, method === 'POST' ? body : undefined)
    expect(response.status).toBeGreaterThanOrEqual(400)
    expectSecurityHeaders(response)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  })
})

describe('errors reveal no internals', () => {
  it.each<[string, string, string, string | undefined]>([
    ['GET', '/api/webs/0', '', undefined],
    ['GET', '/api/nothing', '', undefined],
    ['POST', '/api/webs', 'application/json', '{"a":'],
    ['POST', '/api/webs', 'application/json', '{"__proto__":1}'],
    ['POST', '/api/webs', 'text/plain', 'a'],
    ['POST', '/api/webs', 'application/json', '{}'],
    ['GET', '/api/%zz', '', undefined],
    ['GET', `/api/webs/${'1'.repeat(300)}`, '', undefined],
    ['GET', '/api/logs?before=999999', '', undefined],
  ])('%s %s', async (method, path, type, body) => {
    const response = await admin.send(method, path, body, type ? { 'content-type': type } : {})
    const text = await response.text()
    expect(response.status).toBeGreaterThanOrEqual(400)
    const { code, ...others } = JSON.parse(text) as Record<string, unknown>
    expect(code).toMatch(/^[a-z_]+$/)
    expect(
      Object.keys(others).filter(
        (key) => !['message', 'error', 'errors', 'params', 'error_codes'].includes(key),
      ),
    ).toEqual([])
    expect(text).not.toMatch(/node_modules|\bat \S+:\d|\.ts\b|FST_|Zod|drizzle|postgres|"stack"/i)
  })

  it('a failure in the database reveals no cause', async () => {
    await database.owner.pool.query('alter table categories rename to categories_elsewhere')
    try {
      const response = await admin.fetch('/api/categories')
      expect([response.status, await response.json()]).toEqual([
        500,
        { message: 'Server Error', code: 'server_error', requestId: expect.stringMatching(/^[\w-]{36}$/) },
      ])
      expectSecurityHeaders(response)
    } finally {
      await database.owner.pool.query('alter table categories_elsewhere rename to categories')
    }
  })
})

describe('other sites', () => {
  it.each(['https://evil.test', 'null', 'http://localhost:3000', 'http://kustos.test.evil.test'])(
    '%s may not read a response, not even of a preflight request',
    async (from) => {
      const preflightHeaders = {
        origin: from,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'x-xsrf-token',
      }
      for (const path of [
        '/api/users/current',
        '/api/webs',
        '/api/events',
        '/sanctum/csrf-cookie',
        '/api/openapi.json',
        '/metrics',
      ]) {
        const { text } = await sendRequest(origin, 'OPTIONS', path, preflightHeaders)
        expect(text).toMatch(/^HTTP\/1\.1 40[145]/)
        expect(text).not.toMatch(/^access-control-/im)
      }
      expectSecurityHeaders(await admin.fetch('/api/users/current', { headers: { origin: from } }))
    },
  )

  it('cannot frame any page', async () => {
    for (const path of ['/', '/hosting', '/login', '/api/docs/', '/no/such/page']) {
      const response = await admin.fetch(path)
      expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(response.headers.get('x-frame-options')).not.toBeNull()
      await response.arrayBuffer()
    }
  })
})

describe('cookies', () => {
  it('are host-only, HttpOnly for the session, and removed by sign-out', async () => {
    const client = new ApiClient(origin)
    const set = (await client.signIn('admin@kustos.test')).headers.getSetCookie()
    const session = set.find((cookie) => cookie.startsWith('kustos_session='))
    expect(session).toMatch(/; ?HttpOnly/i)
    for (const cookie of set) {
      expect(cookie).toMatch(/; ?Path=\/(;|$)/i)
      expect(cookie).toMatch(/; ?SameSite=(Lax|Strict)/i)
      expect(cookie).not.toMatch(/Domain=/i)
    }
    const cleared = (await client.send('POST', '/api/logout')).headers.getSetCookie()
    for (const name of ['kustos_session', 'XSRF-TOKEN'])
      expect(cleared.some((cookie) => cookie.startsWith(`${name}=;`) && /Max-Age=0|1970/.test(cookie))).toBe(
        true,
      )
  })
})

it('prevents caching and cross-origin access of event streams', async () => {
  const end = new AbortController()
  const response = await admin.fetch('/api/events', { signal: end.signal })
  expectSecurityHeaders(response)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  end.abort()
  expect((await fetch(`${origin}/api/events`)).status).toBe(401)
})

it.each([
  '/api/openapi.json',
  '/api/docs',
  '/api/docs/',
  '/api/docs/js/scalar.js',
  '/api/docs/openapi.json',
  '/api/docs/openapi.yaml',
])('%s requires a sign-in', async (path) => {
  const response = await fetch(origin + path, { redirect: 'manual' })
  expect([401, 404]).toContain(response.status)
})
