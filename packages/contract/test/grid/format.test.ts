import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cellText, formatBytes, formatTime } from '../../src/grid/index.ts'
import { column } from './machines.ts'

const rome = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Rome',
  dateStyle: 'short',
  timeStyle: 'medium',
})

describe('a time', () => {
  it.each([
    ['2026-01-01T00:00:00Z', '2026/01/01 01:00:00'],
    ['2026-07-01T22:30:00.123Z', '2026/07/02 00:30:00'],
    ['2026-03-29T00:59:59Z', '2026/03/29 01:59:59'],
    ['2026-03-29T01:00:00Z', '2026/03/29 03:00:00'],
    ['2026-10-25T00:59:59Z', '2026/10/25 02:59:59'],
    ['2026-10-25T01:00:00Z', '2026/10/25 02:00:00'],
    ['2026-07-01T12:00:00+09:00', '2026/07/01 05:00:00'],
    ['yesterday', 'yesterday'],
    ['', ''],
  ])('%s is shown as %s', (iso, shown) => {
    expect(formatTime(iso)).toBe(shown)
  })

  it('is shown in Rome time', () => {
    const times = fc.date({
      min: new Date('1980-01-01T00:00:00Z'),
      max: new Date('2060-01-01T00:00:00Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(times, (date) => {
        const [, day, month, year, clock] = /(\d+)\/(\d+)\/(\d+), (.*)/.exec(rome.format(date)) ?? []
        expect(formatTime(date.toISOString())).toBe(`${year}/${month}/${day} ${clock}`)
      }),
    )
  })
})

describe("a cell's text", () => {
  it('shows GiB to two decimals', () => {
    expect(formatBytes(0)).toBe('0.00 GiB')
    expect(formatBytes(1.256 * 1024 ** 3)).toBe('1.26 GiB')
  })

  it.each([
    [column.state, '1', 'running'],
    [column.state, '9', '9'],
    [column.tags, ['a', 'b'], 'a, b'],
    [column.cores, 0, '0'],
    [column.name, null, ''],
  ])('of $key: %j is shown as %j', (of, cell, text) => {
    expect(cellText(of, cell)).toBe(text)
  })
})
