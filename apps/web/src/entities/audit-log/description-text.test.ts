import i18next from 'i18next'
import { beforeAll, expect, it } from 'vitest'
import * as de from '../../platform/messages/de/index.ts'
import * as en from '../../platform/messages/en/index.ts'
import { descriptionText } from './description-text.ts'

beforeAll(async () => {
  await i18next.init({ resources: { en: { translation: en }, de: { translation: de } } })
})

it.each([
  ['updated', 'updated', 'geändert'],
  ['importDatabase requested', 'Import database requested', 'Datenbank-Import angefordert'],
  ['refresh requested', 're-scan requested', 'Einlesen angefordert'],
  ['as an older release wrote', 'as an older release wrote', 'as an older release wrote'],
  ['constructor', 'constructor', 'constructor'],
])('%s is %s in English and %s in German', (description, english, german) => {
  expect(descriptionText(i18next.getFixedT('en'), description)).toBe(english)
  expect(descriptionText(i18next.getFixedT('de'), description)).toBe(german)
})
