import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { failureOf, openFormerSystem } from './legacy-fixture.ts'
import { answering } from './legacy-server.ts'

const { state, origin, categories, open, signedIn } = await openFormerSystem()

describe('invalid responses', () => {
  test.each<[string, ReturnType<typeof answering>[], string, RegExp]>([
    ['a page', [answering(200, {}, '<html>')], 'unreadable', /a page \(HTML\) to \/api\/categories/],
    ['no JSON', [answering(200, {}, '[{]')], 'unreadable', /something that is not JSON/],
    ['no list', [answering(200, {}, '{"data": 7}')], 'unreadable', /categories are not a list/],
    ['forbidden', [answering(403)], 'refused', /does not let this login use \/api\/categories \(403\)/],
    [
      'another place',
      [answering(302, { location: 'https://evil.test/api/categories' })],
      'unreadable',
      /points to https:\/\/evil\.test, which is another place and not followed/,
    ],
    [
      'a ring',
      Array.from({ length: 9 }, () => answering(302, { location: '/api/categories' })),
      'unreadable',
      /points nowhere/,
    ],
    [
      'a persistent server error',
      Array.from({ length: 3 }, () => answering(503)),
      'broken',
      /server error at \/api\/categories \(503\)/,
    ],
    ['no rest is long enough', [answering(429, { 'retry-after': '90000' })], 'busy', /wants 90000 s of rest/],
  ])('%s', async (_, answers, failure, sentence) => {
    const legacy = await signedIn()
    state.answers.set('/api/categories', answers)
    expect(await failureOf(legacy.categories())).toEqual([failure, expect.stringMatching(sentence)])
  })

  test('time out when silent or trickling', async () => {
    const legacy = await signedIn({ idleTimeoutMs: 150, retryDelaysMs: [] })
    state.answers.set('/api/categories', [() => undefined])
    expect(await failureOf(legacy.categories())).toEqual([
      'unreachable',
      'The former system did not respond within 1 s.',
    ])
    state.answers.set('/api/categories', [
      (_, response) => {
        const drip = setInterval(() => response.write(' '), 50)
        response.on('close', () => clearInterval(drip))
      },
    ])
    expect((await failureOf(legacy.categories()))[0]).toBe('unreachable')
  })

  test('are cut at the size limit', async () => {
    const legacy = await signedIn({ idleTimeoutMs: 5_000 })
    state.answers.set('/api/monitoring/webs/uptime', [
      (_, response) => {
        const flood = () => {
          while (response.write(Buffer.alloc(65_536, 32)));
        }
        response.on('drain', flood)
        flood()
      },
    ])
    expect(await failureOf(legacy.uptime(1, '2026-01-01', '2026-01-02'))).toEqual([
      'unreadable',
      'The former system sent a response that is too large.',
    ])
  })

  test('report that nothing listens', async () => {
    const gone = createServer().listen(0, '127.0.0.1')
    await once(gone, 'listening')
    const url = `http://127.0.0.1:${(gone.address() as AddressInfo).port}`
    gone.close()
    expect(await failureOf(open({ url }).signIn('a', 'b'))).toEqual([
      'unreachable',
      expect.stringMatching(/cannot be reached: nothing answers at its address\.$/),
    ])
  })
})

test('are retried after server errors, broken connections and throttling', async () => {
  const legacy = await signedIn()
  state.answers.set('/api/categories', [answering(502), ({ socket }) => socket.destroy()])
  expect((await legacy.categories()).rows).toEqual(categories)
  state.answers.set('/api/categories', [answering(429, { 'retry-after': '1' })])
  state.asked = []
  const first = legacy.categories()
  await expect.poll(() => state.asked.length).toBe(1)
  await Promise.all([first, legacy.categories()])
  const [asked = 0, ...later] = state.asked.map(({ at }) => at)
  expect(later).toHaveLength(2)
  // The second one, too, once the first has heard.
  expect(Math.min(...later) - asked).toBeGreaterThanOrEqual(900)
})

test('follow redirects within the same origin', async () => {
  const legacy = await signedIn()
  state.answers.set('/api/categories', [answering(307, { location: `${origin}/api/categories?page=all` })])
  expect((await legacy.categories()).rows).toEqual(categories)
})
