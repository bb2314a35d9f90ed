import i18next from 'i18next'
import { beforeAll, expect, it } from 'vitest'
import * as de from '../../platform/messages/de/index.ts'
import * as en from '../../platform/messages/en/index.ts'
import { descriptionText, logNameText, subjectIdText, subjectNameText } from './description-text.ts'

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

it.each([
  ['users', 'users', 'Benutzer'],
  ['external-domains', 'external domains', 'Externe Domains'],
  ['an older one', 'an older one', 'an older one'],
])('names the log %s: %s in English and %s in German', (name, english, german) => {
  expect(logNameText(i18next.getFixedT('en'), name)).toBe(english)
  expect(logNameText(i18next.getFixedT('de'), name)).toBe(german)
})

it.each([
  [{ subject_type: 'alert_channel', subject_id: 7 }, 'alert channel 7', 'Alarmkanal 7'],
  [{ subject_type: 'tracking_policy', subject_id: 1 }, 'tracking policy', 'Tracking-Richtlinie'],
  [{ subject_type: 'user', subject_id: null }, 'user', 'Benutzer'],
  [{ subject_type: 'something_old', subject_id: 1 }, 'something_old 1', 'something_old 1'],
  [{ subject_type: null, subject_id: null }, '', ''],
])('names the subject %j: "%s" in English and "%s" in German', (entry, english, german) => {
  expect(subjectIdText(i18next.getFixedT('en'), entry)).toBe(english)
  expect(subjectIdText(i18next.getFixedT('de'), entry)).toBe(german)
})

it.each([
  [{ subject_type: 'deployment', subject_name: 'updateWeb a.test' }, 'Update a.test', 'Update a.test'],
  [
    { subject_type: 'deployment', subject_name: 'importDatabase a.test' },
    'Import database a.test',
    'Datenbank-Import a.test',
  ],
  [{ subject_type: 'batch', subject_name: 'edit 3' }, 'Edit 3', 'Bearbeiten 3'],
  [{ subject_type: 'tag', subject_name: 'edit' }, 'edit', 'edit'],
  [{ subject_type: 'web', subject_name: null }, null, null],
])('names the subject of %j: %s in English and %s in German', (entry, english, german) => {
  expect(subjectNameText(i18next.getFixedT('en'), entry)).toBe(english)
  expect(subjectNameText(i18next.getFixedT('de'), entry)).toBe(german)
})
