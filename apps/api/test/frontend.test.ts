import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDatabase } from '@kustos/database/testing'
import { expect, it } from 'vitest'
import { createUser, listen, signedIn } from './visitor.ts'

const database = await testDatabase()
const frontendFolder = await mkdtemp(join(tmpdir(), 'kustos-frontend-'))
await mkdir(join(frontendFolder, 'assets'))
await writeFile(join(frontendFolder, 'index.html'), '<!doctype html><title>Kustos</title>')
await writeFile(join(frontendFolder, 'assets', 'app-1a2b3c.js'), 'export {}')
const origin = await listen(database, { frontendFolder })
await createUser(database, 'staff@kustos.test', [])

it.each(['/', '/hosting', '/hosting/edit/7', '/no/such/screen'])(
  '%s is a page of the frontend',
  async (path) => {
    const answer = await fetch(origin + path)
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining('<title>Kustos</title>'),
    ])
    expect(answer.headers.get('cache-control')).toBe('no-cache')
  },
)

it('assets are kept for good, and a missing one is not answered with a page', async () => {
  const asset = await fetch(`${origin}/assets/app-1a2b3c.js`)
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(asset.headers.get('content-type')).toMatch(/javascript/)
  expect((await fetch(`${origin}/assets/app-old.js`)).status).toBe(404)
})

it.each(['/../package.json', '/..%2fpackage.json', '/assets/..%2f..%2fpackage.json', '/%2e%2e/package.json'])(
  '%s does not leave the folder',
  async (path) => {
    expect(await (await fetch(origin + path)).text()).not.toContain('"name"')
  },
)

it('a page that is not fetched is not found', async () => {
  expect((await fetch(`${origin}/hosting`, { method: 'POST' })).status).toBe(404)
})

it('every answer carries the security headers', async () => {
  for (const path of ['/', '/api/health', '/api/users/current', '/api/nothing']) {
    const { headers } = await fetch(origin + path)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/script-src 'self'(;|$)/)
    expect(policy).toMatch(/frame-ancestors 'none'/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-powered-by')).toBeNull()
  }
})

it('the reference page runs its own script by hash, never any inline script', async () => {
  const staff = await signedIn(origin, 'staff@kustos.test')
  const answer = await staff.fetch('/api/docs/')
  const policy = answer.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/]+=*'/)
  expect(policy).not.toMatch(/script-src[^;]*unsafe/)
  const script = await staff.fetch('/api/docs/js/scalar.js')
  expect([script.status, (await script.text()).length > 1_000_000]).toEqual([200, true])
})

it('says that it lives and that it can serve', async () => {
  for (const path of ['/api/health', '/api/ready']) expect((await fetch(origin + path)).status).toBe(200)
})
