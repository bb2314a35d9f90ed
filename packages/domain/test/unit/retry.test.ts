import { expect, test } from 'vitest'
import { retryTransient } from '../../src/platform/retry.ts'

const lockTimeout = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
const noAbort = new AbortController().signal

test('waits longer after each failure', async () => {
  const attempts: number[] = []
  await retryTransient(noAbort, async () => {
    attempts.push(performance.now())
    if (attempts.length < 4) throw lockTimeout
  })
  const waits = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0))
  // A timer may end a millisecond early.
  expect(waits[0]).toBeGreaterThan(248)
  expect(waits[1]).toBeGreaterThan(498)
  expect(waits[2]).toBeGreaterThan(998)
})

test('gives up with the last error at its limit', async () => {
  let attempts = 0
  const work = async () => {
    attempts += 1
    throw lockTimeout
  }
  await expect(retryTransient(noAbort, work, { limitMs: 1_000 })).rejects.toBe(lockTimeout)
  expect(attempts).toBeGreaterThan(1)
})

test('tries once more when it is stopped while it waits', async () => {
  const stop = new AbortController()
  let attempts = 0
  const work = async () => {
    attempts += 1
    setImmediate(() => stop.abort())
    throw lockTimeout
  }
  await expect(retryTransient(stop.signal, work)).rejects.toBe(lockTimeout)
  expect(attempts).toBe(2)
})
