import { describe, expect, test } from 'vitest'
import { createCookieJar } from '../src/legacy/cookies.ts'

describe('cookies are kept like in a browser', () => {
  const from = new URL('https://former.test/api/login')
  const now = Date.parse('2026-11-21T12:00:00Z')
  const sent = (lines: string[], to: string, at = now) => {
    const cookies = createCookieJar()
    cookies.store(lines, from, now)
    return cookies.header(new URL(to), at)
  }
  test.each([
    ['by path', ['a=1; path=/api', 'b=2; path=/', 'c=3'], 'https://former.test/api/webs', 'a=1; c=3; b=2'],
    ['a path is no beginning of a name', ['a=1; path=/ap'], 'https://former.test/api/webs', ''],
    ['Secure ones over TLS alone', ['a=1; Secure', 'b=2'], 'http://former.test/api/webs', 'b=2'],
    [
      'those of others are not',
      ['a=1; domain=evil.test', 'b=2; domain=.former.test'],
      'https://former.test/api/x',
      'b=2',
    ],
    ['the last one counts', ['a=1; path=/', 'a=2; path=/'], 'https://former.test/', 'a=2'],
    ['without a name they are none', ['=1', 'nothing', ' ; path=/'], 'https://former.test/api/', ''],
    ['one that has ended is gone', ['a=1; path=/', 'a=; path=/; max-age=0'], 'https://former.test/', ''],
    ['by its date too', ['a=1; path=/; expires=Sat, 21 Nov 2026 11:00:00 GMT'], 'https://former.test/', ''],
    [
      'max-age goes before expires',
      ['a=1; path=/; max-age=9; expires=Sat, 21 Nov 2020 11:00:00 GMT'],
      'https://former.test/',
      'a=1',
    ],
  ])('%s', (_, lines, to, expected) => {
    expect(sent(lines, to)).toBe(expected)
  })
  test('until they expire', () => {
    expect(sent(['a=1; path=/; max-age=60'], 'https://former.test/', now + 59_000)).toBe('a=1')
    expect(sent(['a=1; path=/; max-age=60'], 'https://former.test/', now + 60_000)).toBe('')
  })
})
