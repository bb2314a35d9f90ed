import { reasonMessages } from '@kustos/contract/messages/reasons'
import { describe, expect, it } from 'vitest'
import * as german from './de/index.ts'
import * as english from './en/index.ts'

interface Texts {
  readonly [key: string]: string | Texts
}

/** All texts by their full key. */
const flatten = (texts: Texts, prefix = ''): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(texts).flatMap(([key, value]) =>
      typeof value === 'string'
        ? [[`${prefix}${key}`, value] as const]
        : [...flatten(value, `${prefix}${key}.`)],
    ),
  )

const catalogues = {
  en: flatten({ ...english, messages: { ...english.messages, ...reasonMessages } }),
  de: flatten(german),
}

/** The placeholders of a text, sorted. */
const placeholders = (text: string) =>
  [...text.matchAll(/\{\{[^}]*\}\}|\$t\([^)]*\)/g)].map(String).toSorted()

/** Names and loanwords: a text of nothing else may be the same in both languages. */
const sharedWords = new Set(
  `Kustos E-Mail System Hosting Webs Web Bitbucket Tracking Deployment Deployments Limitis Logs Log Normal Operator
  Name English Deutsch Sites ELTS EOL FQDN FQDNs Node Framework Frameworks Version Slack Mail Telegram Teams Microsoft Discord PagerDuty Webhook Integration Key Plesk DNS Update Backup
  Kickstarter Domain Codename Repository err Uptime Median Status registrar Usercentrics Google Tag Manager ad_storage
  IndexedDB GiB
  analytics_storage ad_user_data ad_personalization Matomo Analytics Ads Facebook Pinterest Microsoft LinkedIn TikTok
  referrer.js Cookie t3pref t3pentry polyfill.io DigiAccess Audits OK Details Id HTTP online extern offline
  s SPF DMARC DKIM MX Host GTM sGTM Panel Nodes Domains Code Export Route Advanced Matching Bing Linkedin Referrer ok Link PHP Tags`.split(
    /\s+/,
  ),
)

it.each(['en', 'de'] as const)('groups the digits of counts in the catalogue %s', (language) => {
  const ungrouped = [...catalogues[language]].filter(
    ([key, text]) => key.endsWith('_other') && text.includes('{{count}}'),
  )
  expect(ungrouped).toEqual([])
})

describe('the German catalogue', () => {
  it('has exactly the keys of the English one', () => {
    expect([...catalogues.de.keys()].toSorted()).toEqual([...catalogues.en.keys()].toSorted())
  })

  it('uses the same placeholders', () => {
    for (const [key, text] of catalogues.en) {
      // A text for one may spell the number out.
      const isOne = key.endsWith('_one') || key.endsWith('_zero')
      const theirs = placeholders(catalogues.de.get(key) ?? '').filter(
        (name) => !isOne || !name.startsWith('{{count'),
      )
      expect(theirs, key).toEqual(placeholders(text).filter((name) => !isOne || !name.startsWith('{{count')))
    }
  })

  it('contains no English', () => {
    for (const [key, text] of catalogues.en) {
      if (catalogues.de.get(key) !== text) continue
      const words = text.replaceAll(/\{\{[^}]*\}\}/g, ' ').match(/\p{L}[\p{L}\d._-]*/gu) ?? []
      expect(
        words.filter((word) => !sharedWords.has(word)),
        key,
      ).toEqual([])
    }
  })
})

describe.each(['en', 'de'] as const)('the %s catalogue', (language) => {
  it('has every plural of the language', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
    const keys = [...catalogues[language].keys()]
    const counted = new Set(
      keys.filter((key) => /_(one|other)$/.test(key)).map((key) => key.replace(/_\w+$/, '')),
    )
    expect(counted.size).toBeGreaterThan(10)
    for (const key of counted)
      for (const category of pluralCategories) expect(keys).toContain(`${key}_${category}`)
  })

  it('has no unintended empty text', () => {
    const empty = [...catalogues[language]].filter(([, text]) => text.trim() === '').map(([key]) => key)
    expect(empty).toEqual(['deployment.log.sources.out'])
  })
})
