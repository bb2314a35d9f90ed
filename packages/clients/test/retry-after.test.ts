import { expect, test } from 'vitest'
import { parseRetryAfterMs } from '../src/http/retry-after.ts'

test.each<[string, number | null]>([
  ['0', 0],
  ['120', 120_000],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
  ['-5', null],
  ['1.5', null],
  ['99999999999', null],
  ['soon', null],
  ['', null],
])('Retry-After: %j is a wait of %j ms', (header, waitMs) => {
  expect(parseRetryAfterMs(header)).toBe(waitMs)
})
