import { createConnection } from 'node:net'
import { newRole, userChange } from '@kustos/contract/users'
import { webChange } from '@kustos/contract/webs'
import { categories, logEntries, roles, userRoles, users, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { ApiClient, createUser, listen, signIn } from './api-client.ts'
import { invalidFields, invalidIds } from './invalid-values.ts'

const database = await testDatabase()
const { db } = database
const origin = await listen(database)
const me = await createUser(database, 'admin@kustos.test', 'admin')

let admin = new ApiClient(origin)
let snapshot = ''

const takeSnapshot = async () =>
  JSON.stringify([
    await db.select().from(webs),
    await db.select().from(categories),
    await db.select().from(users),
    await db.select().from(roles),
    await db.select().from(userRoles),
    await db.$count(logEntries),
  ])

beforeAll(async () => {
  admin = await signIn(origin, 'admin@kustos.test')
  await admin.send('POST', '/api/webs', { fqdn: 'a.test', customer: 'A', configured_ip: '192.0.2.1' })
  snapshot = await takeSnapshot()
})

describe('invalid ids', () => {
  it.each([...invalidIds, 'a'.repeat(300)])('%s is not found', async (id) => {
    for (const [method, path] of [
      ['GET', `/api/webs/${id}`],
      ['PUT', `/api/webs/${id}`],
      ['DELETE', `/api/webs/${id}`],
      ['PUT', `/api/webs/${id}/restore`],
      ['GET', `/api/users/${id}`],
      ['PUT', `/api/users/${id}`],
      ['DELETE', `/api/users/${id}`],
      ['PUT', `/api/users/${id}/restore`],
      ['PUT', `/api/roles/${id}`],
      ['DELETE', `/api/roles/${id}`],
      ['DELETE', `/api/sessions/${id}`],
    ] as const) {
      const body =
        method === 'PUT' ? { fqdn: 'b.test', customer: 'B', configured_ip: '192.0.2.1' } : undefined
      const { status } = await admin.send(method, path, body)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
    }
    expect(await takeSnapshot()).toBe(snapshot)
  })

  it('rejects malformed percent encoding with 400', async () => {
    const response = await admin.fetch('/api/webs/%E0%A4%A')
    expect(response.status).toBe(400)
    expect(Object.keys((await response.json()) as object)).toEqual(['message', 'code'])
    expect(response.headers.get('content-security-policy')).toMatch(/script-src 'self'/)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })
})

describe('invalid bodies', () => {
  const json = { 'content-type': 'application/json' }
  it.each([
    ['malformed JSON', '{"fqdn":', json, 400],
    ['text that is not JSON', 'fqdn=a.test', json, 400],
    ['empty JSON', '', json, 400],
    ['another media type', '<web/>', { 'content-type': 'application/xml' }, 415],
    ['a form', 'fqdn=b.test', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['JSON as text', '{"fqdn":"b.test"}', { 'content-type': 'text/plain' }, 415],
    ['a body that is too large', JSON.stringify({ comment: 'a'.repeat(300_000) }), json, 413],
    ['null', 'null', json, 422],
    ['a number', '7', json, 422],
    ['a prototype', '{"__proto__":{"admin":true}}', json, 400],
    ['a thousand levels', `${'['.repeat(1000)}${']'.repeat(1000)}`, json, 422],
  ])('%s is rejected with a message', async (_, body, headers, status) => {
    for (const [method, path] of [
      ['POST', '/api/webs'],
      ['PUT', '/api/webs/1'],
      ['POST', '/api/users'],
      ['PUT', `/api/users/${me}`],
      ['POST', '/api/roles'],
      ['PUT', '/api/roles/1'],
      ['POST', '/api/login'],
    ] as const) {
      const response = await admin.send(method, path, body, headers)
      expect([path, response.status]).toEqual([path, status])
      expect(await response.json()).toMatchObject({ message: expect.stringMatching(/./) })
    }
    expect(await takeSnapshot()).toBe(snapshot)
  })

  it('never cause a 500 or a partial write', async () => {
    const web = invalidFields(Object.keys(webChange.shape), 2)
    const user = invalidFields(Object.keys(userChange.shape), 2)
    const role = invalidFields(Object.keys(newRole.shape), 2)
    let count = 0
    await fc.assert(
      fc.asyncProperty(web, user, role, async (oddWeb, oddUser, oddRole) => {
        const validWeb = { fqdn: `odd-${++count}.test`, customer: 'A', configured_ip: '192.0.2.1' }
        const own = { email: 'admin@kustos.test', name: 'Admin' }
        for (const [method, path, body] of [
          ['POST', '/api/webs', { ...validWeb, ...oddWeb }],
          ['PUT', '/api/webs/1', { ...validWeb, ...oddWeb }],
          ['PUT', `/api/users/${me}`, { ...own, ...oddUser, email: own.email, password: '' }],
          ['POST', '/api/roles', { name: `odd ${count}`, permissions: [], ...oddRole }],
        ] as const) {
          const before = await takeSnapshot()
          const { status } = await admin.send(method, path, body)
          expect([201, 204, 409, 422]).toContain(status)
          if (status >= 400) expect(await takeSnapshot()).toBe(before)
        }
      }),
      { numRuns: 120 },
    )
    snapshot = await takeSnapshot()
  }, 60_000)
})

describe('invalid cookies and headers', () => {
  it.each([
    'kustos_session=',
    'kustos_session=nonsense',
    'kustos_session=%E0%A4%A',
    `kustos_session=${'a'.repeat(4000)}`,
    'kustos_session=a.b; kustos_session=c.d',
    '=;;;=',
    '__proto__=1; constructor=2',
  ])('%s is not a session', async (cookie) => {
    const response = await fetch(`${origin}/api/users/current`, { headers: { cookie } })
    expect(response.status).toBe(401)
  })

  it.each([
    ['if-none-match', '"'],
    ['accept-encoding', ';;q=,'],
    ['accept', '\u00ff'],
    ['x-forwarded-for', 'nobody'],
    ['range', 'bytes=9-1'],
  ])('%s: ignores %s', async (name, value) => {
    expect((await admin.fetch('/api/webs', { headers: { [name]: value } })).status).toBe(200)
  })

  it('rejects a request that is not HTTP', async () => {
    const response = await new Promise<string>((resolve, reject) => {
      const socket = createConnection(Number(new URL(origin).port), '127.0.0.1', () =>
        socket.write('nonsense\r\n\r\n'),
      )
      socket.once('data', (data) => resolve(String(data)))
      socket.once('error', reject)
    })
    expect(response).toMatch(/^HTTP\/1\.1 400/)
  })
})

it.each(['/api/webs?deleted=2', '/api/webs?deleted=1&deleted=1'])('rejects %s with 422', async (path) => {
  expect((await admin.fetch(path)).status).toBe(422)
})

it.each(['/api/nothing', '/api', '/sanctum/x', '/assets/none.js'])(
  'responds to %s with 404 in JSON',
  async (path) => {
    const response = await admin.fetch(path)
    expect([response.status, await response.json()]).toEqual([
      404,
      { message: 'Not found.', code: 'not_found' },
    ])
  },
)
