import { can } from '@kustos/contract/permissions'
import { urlOf } from '@kustos/contract/route'
import { testDatabase } from '@kustos/database/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { ApiClient, createUser, listen, signIn } from '../api-client.ts'
import { routes } from '../routes.ts'
import { snapshotUsersAndRoles } from '../users-and-roles.ts'
import { credentialsOf, sendRequest } from './raw-http.ts'

const database = await testDatabase()
const origin = await listen(database)
const admin = await createUser(database, 'admin@kustos.test', 'admin')
await createUser(database, 'viewer@kustos.test', ['view webs'])

let viewer = new ApiClient(origin)
let before = ''
beforeAll(async () => {
  viewer = await signIn(origin, 'viewer@kustos.test')
  before = await snapshotUsersAndRoles(database)
})

/** The routes that change something and that viewers of webs may not call. */
const forbidden = Object.entries(routes).filter(
  ([, { method, access }]) => method !== 'GET' && !can({ roles: [], permissions: ['view webs'] }, access),
)

/** Spellings that some servers or proxies treat as the same path. */
const spellings: readonly ((path: string) => string)[] = [
  (path) => `/${path}`,
  (path) => `//${path}`,
  (path) => `/.${path}`,
  (path) => `/api/..${path}`,
  (path) => `/api/webs/..${path.slice(4)}`,
  (path) => `/api/webs/../..${path}`,
  (path) => `/api/webs/%2e%2e${path.slice(4)}`,
  (path) => `/api/webs%2f..${path.slice(4)}`,
  (path) => `/api/webs/..%2f..${path}`,
  (path) => `/api/webs/..;${path.slice(4)}`,
  (path) => `/api/webs/..%5c..${path}`,
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `${path}/.`,
  (path) => `${path}/..`,
  (path) => `${path}%20`,
  (path) => `${path}%00`,
  (path) => `${path}%00.css`,
  (path) => `${path}%0a`,
  (path) => `${path}.json`,
  (path) => `${path};x=1`,
  (path) => `${path};/assets/a.js`,
  (path) => `${path}%3bx=1`,
  (path) => `${path}%3f`,
  (path) => `${path}%23`,
  (path) => `${path}#`,
  (path) => `${path}?`,
  (path) => `${path}?x=/assets/`,
  (path) => path.toUpperCase(),
  (path) => path.replace('/api', '/API'),
  (path) => path.replace('/api', '/Api'),
  (path) => path.replace('/api', '/%61pi'),
  (path) => path.replace('/api', '/%2561pi'),
  (path) => path.replace('/api/', '/api%2f'),
  (path) => path.replace('/api/', '/api%252f'),
  (path) => path.replace('/api/', '/api\\'),
  (path) => path.replaceAll('e', '%65'),
  (path) => path.replaceAll('e', '%2565'),
  (path) => path.replaceAll('s', '%C5%BF'),
  (path) => path.replaceAll('i', '%C4%B1'),
  (path) => `http://kustos.test${path}`,
  (path) => `http://evil.test${path}`,
  (path) => `http://127.0.0.1:1${path}`,
  (path) => `*${path}`,
  (path) => path.slice(1),
  (path) => `${path}?${'a'.repeat(8_000)}`,
  (path) => `${path}/${'a'.repeat(8_000)}`,
]

describe('no spelling of a path bypasses its permission', () => {
  it.each(['/api/users', `/api/users/${admin}`, '/api/roles', '/api/logs', '/api/queue'])(
    '%s',
    async (path) => {
      for (const spell of spellings) {
        const spelling = spell(path)
        for (const [who, headers] of [
          ['nobody', {}],
          ['viewer', credentialsOf(viewer)],
        ] as const) {
          const { text, statuses } = await sendRequest(origin, 'GET', spelling, headers)
          // Only the page of the frontend is public.
          const isPage = /content-type: text\/html/i.test(text)
          expect([who, spelling.slice(0, 80), statuses[0] === 200 && !isPage]).toEqual([
            who,
            spelling.slice(0, 80),
            false,
          ])
          expect(statuses[0]).toBeLessThan(500)
          expect(text).not.toMatch(/admin@kustos\.test|"permissions"|password/)
        }
      }
    },
    30_000,
  )

  it.each(forbidden.map(([name, route], place) => [name, route, place] as const))(
    '%s, with a valid token',
    async (_, route, place) => {
      const headers = { ...credentialsOf(viewer), 'content-type': 'application/json' }
      const body = JSON.stringify({
        name: 'slipped-in',
        email: 'slipped-in@kustos.test',
        fqdn: 'slipped-in.test',
      })
      const path = urlOf(route, {
        id: admin,
        code: 'NOBODY',
        name: 'nowhere',
        fqdn: 'nowhere.test',
        override: 1,
        exception: 1,
      })
      // Another method than that of the route is no route, which a few of them show.
      for (const method of place % 10 === 0 ? ['POST', 'PUT', 'DELETE'] : [route.method]) {
        const responses = await Promise.all(
          spellings.map(async (spell) => {
            const spelling = spell(path)
            const length = { 'content-length': String(body.length) }
            const { statuses } = await sendRequest(origin, method, spelling, { ...headers, ...length }, body)
            return [spelling.slice(0, 80), statuses] as const
          }),
        )
        // A 422 would mean that access was granted.
        for (const [spelling, statuses] of responses) {
          expect([method, spelling, statuses]).toEqual([
            method,
            spelling,
            [expect.toBeOneOf([400, 403, 404, 414])],
          ])
        }
        const unchangedPath = responses.find(([spelling]) => spelling === `${path}?`)
        if (method === route.method) expect(unchangedPath).toEqual([`${path}?`, [403]])
      }
    },
    30_000,
  )

  it('changes no user or role', async () => {
    expect(await snapshotUsersAndRoles(database)).toBe(before)
  })

  it('no header of a proxy bypasses a permission', async () => {
    for (const headers of [
      { 'x-original-url': '/api/users' },
      { 'x-rewrite-url': '/api/users' },
      { 'x-forwarded-prefix': '/api/users' },
      { 'x-forwarded-uri': '/api/users' },
      { 'x-forwarded-user': 'admin@kustos.test', 'x-remote-user': 'admin', 'x-user-id': String(admin) },
      { authorization: `Basic ${btoa('admin@kustos.test:x')}` },
      { host: 'localhost' },
      { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1' },
    ]) {
      expect(
        (await sendRequest(origin, 'GET', '/api/users', { ...credentialsOf(viewer), ...headers })).statuses,
      ).toEqual([403])
      expect((await sendRequest(origin, 'GET', '/api/webs', headers)).statuses).toEqual([401])
      const { text } = await sendRequest(origin, 'GET', '/', headers)
      expect(text).not.toContain('admin@kustos.test')
    }
  })
})

describe('only files of the frontend are served', () => {
  it.each([
    '/.git/config',
    '/.env',
    '/.dockerenv',
    '/package.json',
    '/../package.json',
    '/../../package.json',
    '/assets/../../package.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/..%5c..%5cpackage.json',
    '/assets/%252e%252e/%252e%252e/package.json',
    '/assets/....//....//package.json',
    '/assets//etc/passwd',
    '//etc/passwd',
    '/etc/passwd',
    '/file:///etc/passwd',
    '/assets/%00/../../package.json',
    '/src/app.ts',
    '/node_modules/fastify/package.json',
    '/index.html/../../package.json',
    '/assets/',
    '/assets',
  ])('%s is not served', async (path) => {
    const { text, statuses } = await sendRequest(origin, 'GET', path)
    expect(statuses[0]).toBeLessThan(500)
    expect(text).not.toMatch(/"name":|root:x:|\[core\]|SESSION_SECRET|Index of/)
    if (statuses[0] === 200) expect(text).toMatch(/content-type: text\/html/i)
  })

  it('source maps are not served', async () => {
    const page = await (await fetch(origin)).text()
    const scripts = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(
      ([, path = '']) => path,
    )
    expect(scripts.length).toBeGreaterThan(0)
    for (const path of scripts) {
      expect((await fetch(`${origin}${path}.map`)).status).toBe(404)
      expect(await (await fetch(origin + path)).text()).not.toMatch(/sourceMappingURL=/)
    }
  })
})

it('no response to a path is a redirect', async () => {
  for (const path of [
    '//evil.test',
    '//evil.test/%2f..',
    '/\\evil.test',
    '/%5cevil.test',
    '/https:/evil.test',
    '/api/docs',
  ]) {
    const { text } = await sendRequest(origin, 'GET', path, credentialsOf(viewer))
    const [, location] = /^location: (.*)$/im.exec(text) ?? []
    expect([path, location?.trim() ?? null]).toEqual([path, path === '/api/docs' ? '/api/docs/' : null])
  }
})
