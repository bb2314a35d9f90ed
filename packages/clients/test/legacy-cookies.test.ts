import { describe, expect, test } from 'vitest'
import { createCookieJar } from '../src/legacy/cookies.ts'

describe('a cookie jar', () => {
  const from = new URL('https://former.test/api/login')
  const now = Date.parse('2026-11-21T12:00:00Z')
  const getCookieHeader = (lines: string[], to: string, at = now) => {
    const cookies = createCookieJar()
    cookies.store(lines, from, now)
    return cookies.header(new URL(to), at)
  }
  test.each([
    [
      'sends cookies of matching paths, the longest first',
      ['a=1; path=/api', 'b=2; path=/', 'c=3'],
      'https://former.test/api/webs',
      'a=1; c=3; b=2',
    ],
    [
      'does not match a path in the middle of a segment',
      ['a=1; path=/ap'],
      'https://former.test/api/webs',
      '',
    ],
    ['sends Secure cookies over TLS only', ['a=1; Secure', 'b=2'], 'http://former.test/api/webs', 'b=2'],
    [
      'ignores cookies of other domains',
      ['a=1; domain=evil.test', 'b=2; domain=.former.test'],
      'https://former.test/api/x',
      'b=2',
    ],
    ['replaces a cookie of the same name', ['a=1; path=/', 'a=2; path=/'], 'https://former.test/', 'a=2'],
    ['ignores cookies without a name', ['=1', 'nothing', ' ; path=/'], 'https://former.test/api/', ''],
    ['removes a cookie with max-age 0', ['a=1; path=/', 'a=; path=/; max-age=0'], 'https://former.test/', ''],
    [
      'removes a cookie that expired',
      ['a=1; path=/; expires=Sat, 21 Nov 2026 11:00:00 GMT'],
      'https://former.test/',
      '',
    ],
    [
      'prefers max-age to expires',
      ['a=1; path=/; max-age=9; expires=Sat, 21 Nov 2020 11:00:00 GMT'],
      'https://former.test/',
      'a=1',
    ],
  ])('%s', (_, lines, to, expected) => {
    expect(getCookieHeader(lines, to)).toBe(expected)
  })
  test('sends cookies until they expire', () => {
    expect(getCookieHeader(['a=1; path=/; max-age=60'], 'https://former.test/', now + 59_000)).toBe('a=1')
    expect(getCookieHeader(['a=1; path=/; max-age=60'], 'https://former.test/', now + 60_000)).toBe('')
  })
})
