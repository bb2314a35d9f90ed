import type { MonitoringState } from '@kustos/contract/monitoring'
import { describe, expect, it } from 'vitest'
import { healthOf } from './health.ts'

const now = Date.parse('2026-11-20T12:00:00.000Z')
const state = (secondsAgo: number, round: 'known' | 'unknown' = 'known'): MonitoringState => ({
  monitored: 60,
  down: 2,
  degraded: 0,
  interval: 60,
  last_round: {
    started_at: new Date(now - secondsAgo * 1000).toISOString(),
    probes: 60,
    failures: 2,
    state: round,
  },
})

describe('healthOf', () => {
  it.each([
    [0, 'good'],
    [-20, 'good'],
    [210, 'good'],
    [211, 'late'],
  ] as const)('rates a round %i s ago as %s', (seconds, expected) => {
    expect(healthOf(state(seconds), now)).toBe(expected)
  })
  it('is unknown before the first round', () => {
    expect(healthOf({ ...state(0), last_round: null }, now)).toBe('never')
  })
  it('suspects a latest round in which everything failed', () => {
    expect(healthOf(state(60, 'unknown'), now)).toBe('unknown')
    expect(healthOf(state(600, 'unknown'), now)).toBe('late')
  })
  it('knows that no worker has probed anything', () => {
    const { last_round: last, ...rest } = state(60, 'unknown')
    expect(healthOf({ ...rest, last_round: last && { ...last, probes: 0 } }, now)).toBe('unprobed')
  })
})
