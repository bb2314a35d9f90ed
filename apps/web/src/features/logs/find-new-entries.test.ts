import type { LogEntry } from '@kustos/contract/logs'
import { describe, expect, it } from 'vitest'
import { findNewEntries } from './find-new-entries.ts'

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
    names: null,
    request_id: null,
  }))

describe('new log entries', () => {
  it('are all entries if none are cached', () => {
    expect(findNewEntries(entries(3, 2, 1), [])).toEqual({ fresh: entries(3, 2, 1), isGap: false })
  })

  it('are the uncached entries of the latest page', () => {
    expect(findNewEntries(entries(5, 4, 3), entries(3, 2, 1))).toEqual({ fresh: entries(5, 4), isGap: false })
    expect(findNewEntries(entries(3, 2), entries(3, 2, 1))).toEqual({ fresh: [], isGap: false })
  })

  it('have a gap if the latest page does not reach the cached ones', () => {
    expect(findNewEntries(entries(9, 8), entries(3, 2)).isGap).toBe(true)
  })

  it('are none while the log is empty', () => {
    expect(findNewEntries([], [])).toEqual({ fresh: [], isGap: false })
  })
})
