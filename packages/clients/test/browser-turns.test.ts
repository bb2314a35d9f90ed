import { expect, test } from 'vitest'
import { openHangingBrowser } from './hanging-browser.ts'

test('a visit for which there is no proxy fails, and its process does not stay for it', async () => {
  // An address that this machine does not have.
  const { browser, state, process } = openHangingBrowser({ visitsOfProcess: 1 }, '192.0.2.1')
  const visited = await browser.visit('http://hotel.test/')
  expect(visited).toMatchObject({ outcome: 'failed', reason: { code: 'connection_failed' } })
  await expect.poll(() => state).toMatchObject({ processes: 1, ended: 1 })
  expect(process.listenerCount('disconnected')).toBe(0)
})

test('a process that opens no more contexts is ended', async () => {
  const { browser, state } = openHangingBrowser({ budget: { seconds: 5 } })
  const visited = await browser.visit('http://hotel.test/')
  expect(visited).toEqual({ outcome: 'failed', reason: { code: 'visit_timed_out' } })
  expect(state.ended).toBeGreaterThan(0)
})

test('a visit whose turn does not come in time ends, and the next one gets its turn', async () => {
  const { browser } = openHangingBrowser({ budget: { seconds: 6 } })
  const others = [1, 2].map(() => browser.visit('http://hotel.test/', { deadlineMs: 60_000 }))
  const started = performance.now()
  // Eight seconds are needed for a visit.
  const late = await browser.visit('http://hotel.test/', { deadlineMs: 8_500 })
  expect(late).toEqual({ outcome: 'failed', reason: { code: 'browser_busy' } })
  expect(performance.now() - started).toBeLessThan(3_000)
  for (const other of await Promise.all(others)) expect(other).toMatchObject({ outcome: 'failed' })
})
