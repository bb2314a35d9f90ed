import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseSizeBytes, readInfo } from '../src/plesk/domain-info.ts'

test.each([
  ['96.0 KB', 98_304],
  ['0 B', 0],
  ['512 B', 512],
  ['1.5 MB', 1_572_864],
  ['2.10 GB', 2_254_857_830],
  ['3 TB', 3_298_534_883_328],
  ['  7.0 kb ', 7_168],
  ['12KB', 12_288],
  ['1,234.5 MB', 1_294_467_072],
  ['1,234,567 B', 1_234_567],
  ['1.234,5 MB', null],
  ['12,34 MB', null],
  [',123 MB', null],
  ['0 B/Month', null],
  ['Unlimited', null],
  ['', null],
  ['KB', null],
  ['-1 KB', null],
  ['1e3 KB', null],
  ['999999999999999 TB', null],
])('reads the size "%s" as %s bytes', (size, bytes) => {
  expect(parseSizeBytes(size)).toBe(bytes)
})

const rule = '='.repeat(29)
const line = (label: string, value: string) => `${label}:`.padEnd(40) + value

describe('the output of --info', () => {
  test('is split at the first colon of each line', () => {
    const text = [
      'General',
      rule,
      line('Domain name', 'hotel.test'),
      line("Owner's contact name", 'Agency: Main (admin)'),
      line('Creation date', 'Oct 20, 2023'),
      line('Total size of backup files in local storage', '5.0 GB'),
      line('Traffic', '0 B/Month'),
      '',
      'Hosting',
      rule,
      line('Hosting type', 'Physical hosting'),
      line('FTP Login', 'hotel.test_34gqrbu1k9m'),
      line('FTP Password', '********'),
      line('Hard disk quota', 'Unlimited'),
      line('Disk space used by httpdocs', '96.0 KB'),
      line('Disk space used by Log files and statistical reports', '1.5 MB'),
      'SUCCESS: Gathering information for hotel.test complete',
    ].join('\r\n')
    expect(text).toContain('statistical reports:1.5 MB')
    expect(readInfo(text)).toEqual({ sysuser: 'hotel.test_34gqrbu1k9m', disk_usage: 98_304 + 1_572_864 })
  })

  test.each(['unknown', '1.234,5 MB', 'Unlimited', ''])(
    'has no disk usage if one of its sizes is "%s"',
    (size) => {
      const text = [
        line('FTP Login', 'hotel'),
        line('Disk space used by httpdocs', '12 GB'),
        line('Disk space used by Log files and statistical reports', size),
      ].join('\n')
      expect(readInfo(text)).toEqual({ sysuser: 'hotel', disk_usage: null })
    },
  )

  test('has neither for a domain without hosting', () => {
    const text = ['General', rule, line('Domain name', 'hotel.test'), line('FTP Login', '')].join('\n')
    expect(readInfo(text)).toEqual({ sysuser: null, disk_usage: null })
  })

  test('may be any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const { sysuser, disk_usage } = readInfo(text)
        expect(sysuser).not.toBe('')
        expect(disk_usage === null || Number.isSafeInteger(disk_usage)).toBe(true)
      }),
    )
  })

  test('is found on any line', () => {
    const label = fc
      .stringMatching(/^[A-Za-z][A-Za-z /-]{0,60}$/)
      .filter((one) => !/^(FTP Login|Disk)/.test(one))
    const others = fc.array(fc.tuple(label, fc.stringMatching(/^[\w .:/-]{0,40}$/)), { maxLength: 12 })
    const kilobytes = fc.integer({ min: 0, max: 10_000_000 })
    fc.assert(
      fc.property(others, others, kilobytes, kilobytes, (before, after, pages, logs) => {
        const lines = [
          ...before,
          ['FTP Login', 'hotel_1'] as const,
          ['Disk space used by httpdocs', `${pages}.0 KB`] as const,
          ...after,
          ['Disk space used by Log files and statistical reports', `${logs} KB`] as const,
        ]
        const text = lines.map(([name, value]) => line(name, value)).join('\n')
        expect(readInfo(text)).toEqual({ sysuser: 'hotel_1', disk_usage: (pages + logs) * 1024 })
      }),
    )
  })

  test('is read with the precision of its rounding', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 43 }), (bytes) => {
        const power = bytes < 1024 ? 0 : Math.min(4, Math.floor(Math.log2(bytes) / 10))
        const shown = `${(bytes / 1024 ** power).toFixed(1)} ${['B', 'KB', 'MB', 'GB', 'TB'][power]}`
        expect(Math.abs((parseSizeBytes(shown) ?? Number.NaN) - bytes)).toBeLessThanOrEqual(
          0.051 * 1024 ** power,
        )
      }),
    )
  })
})
