import { afterEach, expect, it, vi } from 'vitest'

vi.stubGlobal('addEventListener', () => {})
const { download } = await import('./download.ts')
afterEach(() => {
  vi.unstubAllGlobals()
})

const exportWebs = () => download({ path: '/api/webs/export' }, '', () => {})

it('does not save a page of a proxy as the file', async () => {
  vi.stubGlobal('fetch', async () => new Response('<!doctype html><title>Sign in</title>'))
  await expect(exportWebs()).rejects.toMatchObject({ code: 'unexpected_response', status: 200 })
})

it('says that the browser is offline', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  vi.stubGlobal('navigator', { onLine: false })
  await expect(exportWebs()).rejects.toMatchObject({ code: 'offline' })
})
