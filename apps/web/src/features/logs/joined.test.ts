import type { LogEntry } from '@kustos/contract/logs'
import { describe, expect, it } from 'vitest'
import { joined } from './joined.ts'

const entries = (...ids: number[]): LogEntry[] =>
  ids.map((id) => ({
    id,
    created_at: '2026-01-01T00:00:00Z',
    log_name: 'webs',
    description: 'updated',
    subject_type: null,
    subject_id: null,
    subject_name: null,
    causer_id: null,
    properties: {},
  }))

describe('what has come into the log since', () => {
  it('is everything where nothing is kept', () => {
    expect(joined(entries(3, 2, 1), [])).toEqual({ fresh: entries(3, 2, 1), isGap: false })
  })

  it('is what the newest page has beyond it', () => {
    expect(joined(entries(5, 4, 3), entries(3, 2, 1))).toEqual({ fresh: entries(5, 4), isGap: false })
    expect(joined(entries(3, 2), entries(3, 2, 1))).toEqual({ fresh: [], isGap: false })
  })

  it('is more than a page where that does not reach down to it', () => {
    expect(joined(entries(9, 8), entries(3, 2)).isGap).toBe(true)
  })

  it('is nothing where the log was empty, and stays so', () => {
    expect(joined([], [])).toEqual({ fresh: [], isGap: false })
  })
})
