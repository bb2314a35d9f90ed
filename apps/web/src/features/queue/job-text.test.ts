import { deploymentKinds } from '@kustos/contract/deployment'
import { inspectionKinds } from '@kustos/contract/inspections'
import { jobNames } from '@kustos/contract/queue'
import i18next, { type TFunction } from 'i18next'
import { describe, expect, it } from 'vitest'
import * as de from '../../platform/messages/de/index.ts'
import * as en from '../../platform/messages/en/index.ts'
import { jobText } from './job-text.ts'

const i18n = i18next.createInstance()
await i18n.init({ lng: 'en', resources: { en: { translation: en }, de: { translation: de } } })
const text = (displayName: string, language = 'en') =>
  jobText(i18n.getFixedT(language) as TFunction, { displayName })

describe.each(['en', 'de'])('jobText in %s', (language) => {
  it.each([...deploymentKinds, ...inspectionKinds, ...jobNames])('names the kind %s', (kind) => {
    expect(text(kind, language)).not.toBe(kind)
  })
})

it('names the web of a job', () => {
  expect(text('backupWeb · example.test')).toBe('Backup · example.test')
})

it('shows a kind of another release as it is', () => {
  expect(text('polishWeb · example.test')).toBe('polishWeb · example.test')
  expect(text('polishWeb', 'de')).toBe('polishWeb')
})
