import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDatabase } from '@kustos/database/testing'
import { expect, it } from 'vitest'
import { createUser, listen, signIn } from './api-client.ts'

const database = await testDatabase()
const frontendFolder = await mkdtemp(join(tmpdir(), 'kustos-frontend-'))
await mkdir(join(frontendFolder, 'assets'))
await writeFile(join(frontendFolder, 'index.html'), '<!doctype html><title>Kustos</title>')
await writeFile(join(frontendFolder, 'assets', 'app-1a2b3c.js'), 'export {}')
const origin = await listen(database, { frontendFolder })
await createUser(database, 'staff@kustos.test', [])

it.each(['/', '/hosting', '/hosting/edit/7', '/no/such/screen'])(
  'serves %s as a page of the frontend',
  async (path) => {
    const response = await fetch(origin + path)
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining('<title>Kustos</title>'),
    ])
    expect(response.headers.get('cache-control')).toBe('no-cache')
  },
)

it('caches assets permanently, and responds to a missing one with 404 instead of a page', async () => {
  const asset = await fetch(`${origin}/assets/app-1a2b3c.js`)
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(asset.headers.get('content-type')).toMatch(/javascript/)
  expect((await fetch(`${origin}/assets/app-old.js`)).status).toBe(404)
})

it.each(['/../package.json', '/..%2fpackage.json', '/assets/..%2f..%2fpackage.json', '/%2e%2e/package.json'])(
  'does not serve %s from outside the folder',
  async (path) => {
    expect(await (await fetch(origin + path)).text()).not.toContain('"name"')
  },
)

it('responds with 404 if a page is not requested with GET', async () => {
  expect((await fetch(`${origin}/hosting`, { method: 'POST' })).status).toBe(404)
})

it('sends the security headers with every response', async () => {
  for (const path of ['/', '/api/health', '/api/users/current', '/api/nothing']) {
    const { headers } = await fetch(origin + path)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/script-src 'self'(;|$)/)
    expect(policy).toMatch(/frame-ancestors 'none'/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-powered-by')).toBeNull()
  }
})

it("allows the reference page's own script by hash and no inline script", async () => {
  const staff = await signIn(origin, 'staff@kustos.test')
  const response = await staff.fetch('/api/docs/')
  const policy = response.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/]+=*'/)
  expect(policy).not.toMatch(/script-src[^;]*unsafe/)
  const script = await staff.fetch('/api/docs/js/scalar.js')
  expect([script.status, (await script.text()).length > 1_000_000]).toEqual([200, true])
})

it('reports liveness and readiness', async () => {
  for (const path of ['/api/health', '/api/ready']) expect((await fetch(origin + path)).status).toBe(200)
})
