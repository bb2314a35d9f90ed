import type { Tone } from '@kustos/contract/grid'
import { describe, expect, it } from 'vitest'
import { certificateLeft } from './certificate.ts'

const now = new Date('2026-11-20T12:00:00Z')

const cases: readonly [string, number, Tone | null, string][] = [
  ['2026-11-20T11:59:59.000Z', -1, 'red', 'ended a second ago'],
  ['2026-11-20T12:00:00.000Z', 0, 'red', 'ends now'],
  ['2026-11-21T11:00:00.000Z', 0, 'red', 'ends within the day'],
  ['2026-12-04T11:59:59.000Z', 13, 'red', 'just under two weeks'],
  ['2026-12-04T12:00:00.000Z', 14, 'orange', 'two weeks'],
  ['2026-12-20T11:59:59.000Z', 29, 'orange', 'just under thirty days'],
  ['2026-12-20T12:00:00.000Z', 30, null, 'thirty days'],
]

describe('certificateLeft', () => {
  it.each(cases)('%s: %i days, %s (%s)', (end, days, tone, _) => {
    expect(certificateLeft(null, end, now)).toEqual({ days, tone })
  })

  it('judges a certificate of six days by its lifetime', () => {
    const toneWith = (hours: number) => {
      const end = now.getTime() + hours * 3_600_000
      const [from, to] = [end - 160 * 3_600_000, end].map((time) => new Date(time).toISOString())
      return certificateLeft(from ?? null, to ?? '', now).tone
    }
    expect([120, 60, 53, 41, 39].map(toneWith)).toEqual([null, null, 'orange', 'orange', 'red'])
  })
})
