import { describe, expect, test } from 'vitest'
import { auditPage } from '../../../src/tracking/audit-page.ts'
import { agencyCorpus } from './corpus/agency.ts'
import { browsersCorpus } from './corpus/browsers.ts'
import { consentCorpus } from './corpus/consent.ts'
import { formsCorpus } from './corpus/forms.ts'
import { googleCorpus } from './corpus/google.ts'
import { innocentCorpus } from './corpus/innocent-scripts.ts'
import { pixelCorpus } from './corpus/pixels.ts'
import { settingsCorpus } from './corpus/settings.ts'
import { spellingsCorpus } from './corpus/spellings.ts'
import { nothingCorpus } from './corpus/untracked-pages.ts'
import { type Corpus, type Fixture, formatFinding, home, host, visitOf } from './page-fixtures.ts'

const audit = ({ page, responses, cookies = [] }: Fixture) =>
  auditPage({ visit: visitOf({ ...responses, [home]: { text: page, cookies } }), browser: null }, host)

describe.each<[string, Corpus]>([
  ['Google', googleCorpus],
  ['other services', pixelCorpus],
  ['consent', consentCorpus],
  ["the agency's own scripts", agencyCorpus],
  ['other notations', formsCorpus],
  ['settings, frames and disabled code', settingsCorpus],
  ['edge cases of the standards', browsersCorpus],
  ['other spellings of code', spellingsCorpus],
  ['no trackers', nothingCorpus],
  ['scripts that run no tracker', innocentCorpus],
])('%s:', (_, corpus) => {
  test.each(Object.entries(corpus))('%s', async (_name, fixture) => {
    const { outcome, findings } = await audit(fixture)
    expect(outcome).not.toBe('failed')
    expect(findings.map(formatFinding)).toEqual(fixture.expected)
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
