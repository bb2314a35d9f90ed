import type { StoredItem as SeenItem } from '@kustos/clients/browser'
import type { RequestedHost, StoredItem } from '@kustos/contract/tracking'
import { describe, expect, test } from 'vitest'
import { defaultPolicy } from '../../../src/third-parties/index.ts'
import { parseTcString } from '../../../src/tracking/parse-tc-string.ts'
import { listConsentSignals, listStored, parseTcStrings } from '../../../src/tracking/visit-evidence.ts'
import { requested } from '../../reports/evidence.ts'

const load = (url: string, phase: 'before' | 'accepted', body: string | null = null) => ({
  source: 'request' as const,
  url: new URL(url),
  attributes: {},
  consentBlocked: false,
  excerpt: '',
  request: { phase, kind: 'ping', body },
})

describe('consent signals', () => {
  const google = 'https://region1.google-analytics.com/g/collect'

  test('are read from addresses and forms, each once for a phase and host', () => {
    expect(
      listConsentSignals([
        load(`${google}?gcs=G100&gcd=13p3p3p2p5`, 'before'),
        load(`${google}?gcs=G100&gcd=13p3p3p2p5&en=scroll`, 'before'),
        load('https://sgtm.hotel.test/g/collect', 'accepted', 'v=2&gcs=G111'),
      ]),
    ).toEqual([
      { phase: 'before', host: 'region1.google-analytics.com', signal: 'gcs', value: 'G100' },
      { phase: 'before', host: 'region1.google-analytics.com', signal: 'gcd', value: '13p3p3p2p5' },
      { phase: 'accepted', host: 'sgtm.hotel.test', signal: 'gcs', value: 'G111' },
    ])
  })

  test.each(['gcs=yes', 'gcs=G1', 'gcd=<b>', 'gcd=13', `gcd=13${'p1'.repeat(50)}`])(
    'are not read from other values: %s',
    (query) => expect(listConsentSignals([load(`${google}?${query}`, 'before')])).toEqual([]),
  )

  test('are limited', () => {
    const loads = Array.from({ length: 200 }, (_, index) =>
      load(`https://a${index}.test/?gcs=G100`, 'before'),
    )
    expect(listConsentSignals(loads)).toHaveLength(100)
  })
})

describe('what is stored', () => {
  const item = { phase: 'before', kind: 'cookie', name: 'session', host: '.hotel.test' } as const
  const list = (
    more: Partial<SeenItem>,
    policy = defaultPolicy,
    asked: readonly RequestedHost[] = [],
  ): StoredItem | undefined =>
    listStored([{ ...item, ...more, lifetimeSeconds: 60, setBy: null }], asked, policy)[0]

  test('keeps its fields', () => {
    expect(list({})).toEqual({ ...item, lifetime: 60, set_by: null })
  })

  test('is judged where it belongs to a known tracker', () => {
    expect(list({ name: '_ga' })).toEqual({
      ...item,
      name: '_ga',
      lifetime: 60,
      set_by: null,
      topic: 'googleanalytics',
      entity: 'Google Analytics',
      category: 'analytics',
      verdict: 'violation',
    })
    const verdicts = (['before', 'refused', 'accepted', 'withdrawn'] as const).map(
      (phase) => list({ name: '_hjSession_1', phase })?.verdict,
    )
    expect(verdicts).toEqual(['violation', 'violation', 'none', 'review'])
  })

  test('follows the policy, and what staff have decided about the host of its tracker', () => {
    const decisions = { ...defaultPolicy.decisions, analytics: 'review' as const }
    expect(list({ name: '_pk_id.1.1fff' }, { ...defaultPolicy, decisions })?.verdict).toBe('review')
    const asked = [requested({ host: 'stats.hotel.test', topic: 'matomo', entity: 'Matomo' })]
    const classifications = new Map([['stats.hotel.test', 'utility' as const]])
    const policy = { ...defaultPolicy, classifications }
    expect(list({ name: '_pk_id.1.1fff' }, policy, asked)?.verdict).toBe('none')
    expect(list({ name: '_pk_id.1.1fff', phase: 'refused' }, policy, asked)?.verdict).toBe('none')
  })
})

describe('a consent string', () => {
  /** The example of IAB Europe's specification: vendors 2, 6 and 8 as a bit field. */
  const example = 'COvFyGBOvFyGBAbAAAENAPCAAOAAAAAAAAAAAEEUACCKAAA'

  /** Writes the core, with vendors as ranges. */
  function write(ranges: readonly (readonly [number, number])[], purposes = 0): string {
    const bits = (value: number, length: number) => value.toString(2).padStart(length, '0')
    const vendors = ranges.map(([first, last]) => `1${bits(first, 16)}${bits(last, 16)}`).join('')
    const text = [
      bits(2, 6),
      bits(0, 72),
      bits(300, 12),
      bits(5, 12),
      bits(0, 50),
      bits(purposes, 24),
      bits(1, 24),
      bits(0, 13),
      bits(65_535, 16),
      '1',
      bits(ranges.length, 12),
      vendors,
    ].join('')
    const bytes = text.padEnd(Math.ceil(text.length / 8) * 8, '0').match(/.{8}/g) ?? []
    return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2))).toString('base64url')
  }

  test('is parsed, with or without further segments', () => {
    const parsed = { cmp_id: 27, cmp_version: 0, purposes: [1, 2, 3], legitimate_interests: [], vendors: 3 }
    expect(parseTcString(example)).toEqual(parsed)
    expect(
      parseTcString(`${example}.IFoEUQQgAIQwgIwQABAEAAAAOIAACAIAAAAQAIAgEAACEAAAAAgAQBAAAAAAAGBA`),
    ).toEqual(parsed)
  })

  test('may name vendors as ranges, which overlap', () => {
    expect(
      parseTcString(
        write(
          [
            [1, 10],
            [5, 12],
            [20, 20],
          ],
          2 ** 23,
        ),
      ),
    ).toEqual({
      cmp_id: 300,
      cmp_version: 5,
      purposes: [1],
      legitimate_interests: [24],
      vendors: 13,
    })
  })

  test('is parsed at once even if it names all vendors a thousand times', () => {
    const hostile = write(Array.from({ length: 1_800 }, () => [1, 65_535] as const))
    const before = process.threadCpuUsage()
    expect(parseTcString(hostile)?.vendors).toBe(65_535)
    // Of the processor, since a busy machine may let it wait.
    expect(process.threadCpuUsage(before).user).toBeLessThan(200_000)
  })

  test.each([
    '',
    'null',
    'C',
    'BOvFyGBOvFyGBAbAAAENAPCAAOAAAAAAAAAAAEEUACCKAAA',
    '<script>',
    '💩',
    `${'A'.repeat(500)}`,
  ])('is null for %s', (text) => expect(parseTcString(text)).toBeNull())

  test('belongs to a phase', () => {
    expect(parseTcStrings([{ phase: 'accepted', tcString: example }])).toMatchObject([
      { phase: 'accepted', tc_string: example, cmp_id: 27 },
    ])
  })
})
