import { expect, it } from 'vitest'
import { looksLikeRegex } from './looks-like-regex.ts'

it.each(['alpen|hof', '^www', 'test$', 'web-\\d', 'web.*test', '[ab]'])(
  'offers %s as a regular expression',
  (text) => {
    expect(looksLikeRegex(text)).toBe(true)
  },
)

it.each(['', 'www.alpenhof.test', 'alpen hof', 'a(b', '*.test'])('does not offer %j', (text) => {
  expect(looksLikeRegex(text)).toBe(false)
})
