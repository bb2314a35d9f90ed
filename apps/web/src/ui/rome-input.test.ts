import { describe, expect, it } from 'vitest'
import { fromLocal, toLocal } from './rome-input.ts'

describe('a typed time', () => {
  it.each([
    ['2026-01-15T12:00', '2026-01-15T11:00:00.000Z'],
    ['2026-07-15T12:00', '2026-07-15T10:00:00.000Z'],
    ['2026-03-29T03:30', '2026-03-29T01:30:00.000Z'],
    ['2026-03-29T01:30', '2026-03-29T00:30:00.000Z'],
  ])('%s is in Rome time', (local, iso) => {
    expect(fromLocal(local)).toBe(iso)
    expect(toLocal(iso)).toBe(local)
  })

  it('may be empty', () => {
    expect(fromLocal('')).toBe('')
    expect(toLocal('')).toBe('')
  })
})
