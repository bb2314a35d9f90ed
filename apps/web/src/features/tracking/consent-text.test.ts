import type { ConsentSignal, TrackingVisit } from '@kustos/contract/tracking'
import type { TFunction } from 'i18next'
import { describe, expect, test } from 'vitest'
import { choicesText, lifetimeText, listSignalTexts, signalText } from './consent-text.ts'

/** The last part of a text's key. */
const t = ((key: string) => key.split('.').at(-1)) as unknown as TFunction

const signal = (value: string, more: Partial<ConsentSignal> = {}): ConsentSignal => ({
  phase: 'before',
  host: 'www.google-analytics.com',
  signal: value.startsWith('G') ? 'gcs' : 'gcd',
  value,
  ...more,
})

describe('a consent signal in words', () => {
  test.each([
    ['G100', 'denied: ad_storage, analytics_storage'],
    ['G101', 'granted: analytics_storage; denied: ad_storage'],
    ['G111', 'granted: ad_storage, analytics_storage'],
    ['G1--', 'unset: ad_storage, analytics_storage'],
    ['13p3q3l2r5', 'granted: ad_personalization; denied: ad_storage, analytics_storage; unset: ad_user_data'],
    ['13t3v3n3u5', 'granted: ad_storage, analytics_storage, ad_user_data; denied: ad_personalization'],
  ])('%s is %s', (value, text) => expect(signalText(signal(value), t)).toBe(text))

  test('is shown once for all hosts, and without what a longer one says as well', () => {
    const other = { host: 'www.google.com' }
    expect(
      listSignalTexts(
        [
          signal('G100'),
          signal('13p3p3p3p5'),
          signal('13p3p3p3p5', other),
          signal('G111', { host: 'sgtm.test' }),
        ],
        t,
      ),
    ).toEqual([
      {
        text: 'denied: ad_storage, analytics_storage, ad_user_data, ad_personalization',
        hosts: ['www.google-analytics.com', 'www.google.com'],
      },
      { text: 'granted: ad_storage, analytics_storage', hosts: ['sgtm.test'] },
    ])
  })
})

describe('the choices of a visit', () => {
  const way = { manager: 'Klaro', way: 'call' } as const
  const none = { refused: null, accepted: null, withdrawn: null }
  const refused = { ...none, refused: way }
  const accepted = { ...refused, accepted: way }
  test.each<[text: string, visit: Partial<TrackingVisit>]>([
    ['both · withdrawn', { ...accepted, withdrawn: way }],
    ['noBanner', { ...none, tried: ['refused', 'accepted'] }],
    ['untested', { ...none, tried: ['refused'] }],
    ['untested', { ...none, tried: [] }],
    ['refusedOnly', { ...refused, tried: ['refused', 'accepted'] }],
    ['acceptUntested', { ...refused, tried: ['refused'] }],
    ['noRefusal · withdrawn', { ...accepted, refused: null, withdrawn: way, tried: ['refused', 'accepted'] }],
    ['both · notWithdrawn', { ...accepted, tried: ['refused', 'accepted', 'withdrawn'] }],
    ['both · withdrawalUntested', { ...accepted, tried: ['refused', 'accepted'] }],
  ])('are told as %s: %o', (text, visit) =>
    expect(choicesText({ ...none, asked: [], ...visit }, false, t)).toBe(text),
  )

  test('are impossible for a visit of an older release only if its audit was complete, but for the withdrawal', () => {
    const old = (isComplete: boolean) =>
      [none, refused, { ...accepted, refused: null }, { refused: way, accepted: way }].map((visit) =>
        choicesText({ asked: [], ...visit }, isComplete, t),
      )
    expect(old(true)).toEqual(['noBanner', 'refusedOnly', 'noRefusal · withdrawalUntested', 'both'])
    expect(old(false)).toEqual(['untested', 'acceptUntested', 'noRefusal · withdrawalUntested', 'both'])
  })
})

describe('a lifetime', () => {
  const day = 86_400
  test.each([
    [395 * day, '13 months'],
    [365 * day, '12 months'],
    [90 * day, '3 months'],
    [60 * day, '2 months'],
    [30 * day, '30 days'],
    [day, '24 hours'],
    [1_800, '30 minutes'],
    [60, '60 seconds'],
    [0, '0 seconds'],
  ])('of %i seconds is %s', (lifetime, text) =>
    expect(lifetimeText({ kind: 'cookie', lifetime }, t, 'en')).toBe(text),
  )

  test.each([
    ['cookie', 'session'],
    ['session_storage', 'session'],
    ['local_storage', 'unlimited'],
    ['indexed_db', 'unlimited'],
  ] as const)('of %s without an end is %s', (kind, text) =>
    expect(lifetimeText({ kind, lifetime: null }, t, 'en')).toBe(text),
  )

  test('is German in German', () =>
    expect(lifetimeText({ kind: 'cookie', lifetime: 395 * day }, t, 'de')).toBe('13 Monate'))
})
