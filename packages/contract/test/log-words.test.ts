import { expect, it } from 'vitest'
import { fieldName } from '../src/log-fields.ts'
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

it('names fields that users would not recognise', () => {
  expect(fieldName('de', 'monitoring_mail_subscription')).toBe('Alarm-Mails')
  expect(fieldName('en', 'times')).toBe('Times')
  expect(fieldName('de', 'toString')).toBeUndefined()
})
