import { describe, expect, test } from 'vitest'
import { auditPage } from '../../../src/tracking/audit-page.ts'
import { agencyCorpus } from './corpus/agency.ts'
import { browsersCorpus } from './corpus/browsers.ts'
import { consentCorpus } from './corpus/consent.ts'
import { formsCorpus } from './corpus/forms.ts'
import { googleCorpus } from './corpus/google.ts'
import { nothingCorpus } from './corpus/nothing.ts'
import { pixelCorpus } from './corpus/pixels.ts'
import { settingsCorpus } from './corpus/settings.ts'
import { type Corpus, type Fixture, home, host, told, visitOf } from './world.ts'

const look = ({ page, beside, cookies = [] }: Fixture) =>
  auditPage({ visit: visitOf({ ...beside, [home]: { text: page, cookies } }), browser: null }, host)

describe.each<[string, Corpus]>([
  ['Google', googleCorpus],
  ['other services', pixelCorpus],
  ['consent', consentCorpus],
  ["the agency's own", agencyCorpus],
  ['other forms', formsCorpus],
  ['settings, frames and what is switched off', settingsCorpus],
  ['corners of the standards', browsersCorpus],
  ['nothing of it', nothingCorpus],
])('%s:', (_, corpus) => {
  test.each(Object.entries(corpus))('%s', async (_name, fixture) => {
    const { outcome, findings } = await look(fixture)
    expect(outcome).not.toBe('failed')
    expect(findings.map(told)).toEqual(fixture.finds)
    for (const { evidence } of findings) {
      expect(evidence.length).toBeGreaterThan(0)
      for (const { excerpt, url } of evidence) {
        expect(excerpt.length).toBeLessThanOrEqual(300)
        expect(excerpt).not.toBe('')
        expect(URL.canParse(url)).toBe(true)
      }
    }
  })
})
