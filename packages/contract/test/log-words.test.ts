import { expect, it } from 'vitest'
import { describedIn } from '../src/log-words.ts'

it.each([
  ['updated', 'geändert'],
  ['importDatabase requested', 'importDatabase angefordert'],
  ['as an older release wrote', 'as an older release wrote'],
  ['constructor', 'constructor'],
])('%s is %s in German', (english, german) => {
  expect(describedIn('de', english)).toBe(german)
  expect(describedIn('en', english)).toBe(english)
})
