import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { catchFailure, openFormerSystem } from './legacy-fixture.ts'
import { respondWith } from './legacy-server.ts'

const { state, origin, categories, open, signIn } = await openFormerSystem()

describe('an invalid response', () => {
  test.each<[string, ReturnType<typeof respondWith>[], string, RegExp]>([
    ['is HTML', [respondWith(200, {}, '<html>')], 'unreadable', /an HTML page for \/api\/categories/],
    ['is not JSON', [respondWith(200, {}, '[{]')], 'unreadable', /invalid JSON/],
    ['is not a list', [respondWith(200, {}, '{"data": 7}')], 'unreadable', /categories are not a list/],
    ['is forbidden', [respondWith(403)], 'refused', /does not let this login use \/api\/categories \(403\)/],
    [
      'redirects to another origin',
      [respondWith(302, { location: 'https://evil.test/api/categories' })],
      'unreadable',
      /points to https:\/\/evil\.test, which is another place and not followed/,
    ],
    [
      'redirects forever',
      Array.from({ length: 9 }, () => respondWith(302, { location: '/api/categories' })),
      'unreadable',
      /points nowhere/,
    ],
    [
      'is a persistent server error',
      Array.from({ length: 3 }, () => respondWith(503)),
      'broken',
      /server error at \/api\/categories \(503\)/,
    ],
    [
      'asks for too long a delay',
      [respondWith(429, { 'retry-after': '90000' })],
      'busy',
      /wants 90000 s of rest/,
    ],
  ])('%s', async (_, responses, failure, sentence) => {
    const legacy = await signIn()
    state.responses.set('/api/categories', responses)
    expect(await catchFailure(legacy.categories())).toEqual([failure, expect.stringMatching(sentence)])
  })

  test('times out if it is silent or trickles', async () => {
    const legacy = await signIn({ idleTimeoutMs: 150, retryDelaysMs: [] })
    state.responses.set('/api/categories', [() => undefined])
    expect(await catchFailure(legacy.categories())).toEqual([
      'unreachable',
      'The former system did not respond within 1 s.',
    ])
    state.responses.set('/api/categories', [
      (_, response) => {
        const drip = setInterval(() => response.write(' '), 50)
        response.on('close', () => clearInterval(drip))
      },
    ])
    expect((await catchFailure(legacy.categories()))[0]).toBe('unreachable')
  })

  test('is refused if it is too large', async () => {
    const legacy = await signIn({ idleTimeoutMs: 5_000 })
    state.responses.set('/api/monitoring/webs/uptime', [
      (_, response) => {
        const flood = () => {
          while (response.write(Buffer.alloc(65_536, 32)));
        }
        response.on('drain', flood)
        flood()
      },
    ])
    expect(await catchFailure(legacy.uptime(1, '2026-01-01', '2026-01-02'))).toEqual([
      'unreadable',
      'The former system sent a response that is too large.',
    ])
  })

  test('reports that nothing listens', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const url = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`
    closed.close()
    expect(await catchFailure(open({ url }).signIn('a', 'b'))).toEqual([
      'unreachable',
      expect.stringMatching(/cannot be reached: nothing answers at its address\.$/),
    ])
  })
})

test('retries requests after server errors, broken connections and throttling', async () => {
  const legacy = await signIn()
  state.responses.set('/api/categories', [respondWith(502), ({ socket }) => socket.destroy()])
  expect((await legacy.categories()).rows).toEqual(categories)
  state.responses.set('/api/categories', [respondWith(429, { 'retry-after': '1' })])
  state.requests = []
  const first = legacy.categories()
  await expect.poll(() => state.requests.length).toBe(1)
  await Promise.all([first, legacy.categories()])
  const [throttledAt = 0, ...later] = state.requests.map(({ at }) => at)
  expect(later).toHaveLength(2)
  // The throttling also delays the second request.
  expect(Math.min(...later) - throttledAt).toBeGreaterThanOrEqual(900)
})

test('follows redirects within the same origin', async () => {
  const legacy = await signIn()
  state.responses.set('/api/categories', [
    respondWith(307, { location: `${origin}/api/categories?page=all` }),
  ])
  expect((await legacy.categories()).rows).toEqual(categories)
})
