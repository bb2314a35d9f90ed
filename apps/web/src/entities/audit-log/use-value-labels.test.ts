import { derivedFields } from '@kustos/contract/logs'
import i18next from 'i18next'
import { beforeAll, expect, it } from 'vitest'
import * as de from '../../platform/messages/de/index.ts'
import * as en from '../../platform/messages/en/index.ts'
import { createValueLabels } from './use-value-labels.ts'

beforeAll(async () => {
  await i18next.init({ resources: { en: { translation: en }, de: { translation: de } } })
})

it.each([
  ['export', 'tracking', 'tracking', 'Tracking'],
  ['export', 'webs', 'webs', 'Webs'],
  ['kind', 'web_down', 'Webs with open incidents', 'Webs mit offenen Vorfällen'],
  ['comment', 'webs', undefined, undefined],
])('the value of %s, %s, is named %s in English and %s in German', (field, value, english, german) => {
  expect(createValueLabels(i18next.getFixedT('en'), null).nameOf(field, value)).toBe(english)
  expect(createValueLabels(i18next.getFixedT('de'), null).nameOf(field, value)).toBe(german)
})

it.each(['en', 'de'])(
  'what is logged of an ended session and of imported uptime is named in the language %s',
  (language) => {
    const { labelOf } = createValueLabels(i18next.getFixedT(language), 'user')
    for (const field of ['address', 'user_agent', 'days']) expect(labelOf(field)).not.toBe(field)
  },
)

it('the action of a batch is named as in its list', () => {
  expect(createValueLabels(i18next.getFixedT('de'), 'batch').nameOf('action', 'refresh')).toBe('Neu einlesen')
})

it('bytes are written as in the list of webs, with the decimals of a small change', () => {
  const bytes = 1234.5 * 1024 ** 3
  expect(createValueLabels(i18next.getFixedT('en'), 'web').bytes(bytes)).toBe('1234.50 GiB')
  expect(createValueLabels(i18next.getFixedT('de'), 'web').bytes(bytes)).toBe('1234,50 GiB')
  // A change is seen, though the list shows two decimals.
  expect(createValueLabels(i18next.getFixedT('en'), 'web').bytes(bytes + 1024 ** 2)).toBe('1234.50098 GiB')
})

it.each(['en', 'de'])('what a scan of a web reads is named in the language %s', (language) => {
  const { labelOf } = createValueLabels(i18next.getFixedT(language), 'web')
  for (const field of derivedFields) expect(labelOf(field)).not.toBe(field)
})
