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
