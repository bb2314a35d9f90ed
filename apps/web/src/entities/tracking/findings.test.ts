import type { Finding, TrackingAudit, TrackingTopic } from '@kustos/contract/tracking'
import { nothingFound, type TrackingData } from '@kustos/contract/webs'
import { describe, expect, it } from 'vitest'
import { collectFindings, findingGroupOf, findMissingTopics } from './findings.ts'

const hour = 3_600_000
const now = Date.parse('2026-11-21T12:00:00.000Z')
const ago = (hours: number) => new Date(now - hours * hour).toISOString()

const finding = (topic: TrackingTopic, value: string | null = null): Finding => ({
  topic,
  value,
  domain: null,
  version: null,
  names: null,
  evidence: [{ source: 'script', url: 'https://web.test/', excerpt: `${topic}`, gated: false }],
})
const audit = (
  hours: number,
  outcome: TrackingAudit['outcome'],
  ...findings: readonly Finding[]
): TrackingAudit => ({
  id: 1000 - hours,
  inspection_id: null,
  audited_at: ago(hours),
  engine: 'static',
  outcome,
  is_complete: outcome === 'seen',
  problems: [],
  problem_codes: [],
  findings: [...findings],
  visit: null,
  changes: [],
})
const rowsOf = (audits: readonly TrackingAudit[], at = 0, tracking: TrackingData | null = null) =>
  collectFindings(audits, at, tracking, now).map(
    ({ finding: { topic, value }, since, mayBeOlder, state }) => [
      `${topic} ${value}`,
      since,
      mayBeOlder,
      state,
    ],
  )

const trackingDataWith = (found: Partial<TrackingData['tracking_services']>): TrackingData => ({
  ...nothingFound,
  tracking_services: { ...nothingFound.tracking_services, ...found },
})

describe('a current finding', () => {
  it('starts with the first consecutive audit that found it', () => {
    const audits = [
      audit(1, 'seen', finding('matomo', '7')),
      audit(25, 'failed'),
      audit(49, 'seen', finding('matomo', '7')),
      audit(73, 'seen'),
      audit(97, 'seen', finding('matomo', '7')),
    ]
    expect(rowsOf(audits)).toEqual([['matomo 7', ago(49), false, 'now']])
  })

  it('distinguishes two Matomos with the same number', () => {
    const on = (domain: string) => ({ ...finding('matomo', '1'), domain })
    const audits = [
      audit(1, 'seen', on('stats.a.test'), on('stats.b.test')),
      audit(25, 'seen', on('stats.a.test')),
    ]
    const found = collectFindings(audits, 0, null, now)
    expect(found.map(({ finding: { domain }, since }) => [domain, since])).toEqual([
      ['stats.a.test', ago(25)],
      ['stats.b.test', ago(1)],
    ])
  })

  it('is a Matomo on another host, while the old one is listed as unseen', () => {
    const audits = [audit(1, 'seen', { ...finding('matomo', '1'), domain: 'stats.b.test' })]
    const seen = Math.floor(now / 1000) - 30 * 3600
    const tracking = trackingDataWith({ matomo: [{ id: '1', domain: 'stats.a.test', timestamp: seen }] })
    expect(
      collectFindings(audits, 0, tracking, now).map(({ finding: { domain }, state }) => [domain, state]),
    ).toEqual([
      ['stats.b.test', 'now'],
      ['stats.a.test', 'unseen'],
    ])
  })

  it('may be older than the oldest audit', () => {
    expect(rowsOf([audit(1, 'seen', finding('gtm', 'GTM-1'))])).toEqual([['gtm GTM-1', ago(1), true, 'now']])
  })

  it('comes from the last successful audit if the latest failed', () => {
    const audits = [audit(1, 'failed'), audit(30, 'seen', finding('polyfillio'))]
    expect(rowsOf(audits)).toEqual([['polyfillio null', ago(30), true, 'now']])
  })

  it('is stale after 200,000 s', () => {
    const audits = [audit(1, 'failed'), audit(60, 'seen', finding('polyfillio'))]
    expect(rowsOf(audits)).toEqual([['polyfillio null', ago(60), true, 'stale']])
  })

  it('ends with an audit that read everything that can contain tracking, whatever else it did not', () => {
    const remarked = { ...audit(1, 'partial'), is_complete: true }
    expect(rowsOf([remarked, audit(25, 'seen', finding('usercentrics', 'old'))])).toEqual([])
    const later = audit(0, 'seen', finding('matomo', '7'))
    expect(rowsOf([later, remarked, audit(25, 'seen', finding('matomo', '7'))])).toEqual([
      ['matomo 7', ago(0), false, 'now'],
    ])
  })

  it('is kept if an audit was partial', () => {
    const audits = [
      audit(1, 'partial', finding('usercentrics', 'new')),
      audit(25, 'seen', finding('usercentrics', 'old'), finding('googleads', 'AW-1')),
    ]
    expect(rowsOf(audits)).toEqual([
      ['usercentrics new', ago(1), false, 'now'],
      ['googleads AW-1', ago(25), true, 'unseen'],
    ])
  })

  it('includes removed services before and after they are stale', () => {
    const audits = [audit(1, 'seen'), audit(25, 'seen', finding('matomo', '7'))]
    const seconds = (hours: number) => (now - hours * hour) / 1000
    const tracking = trackingDataWith({
      matomo: [{ id: '7', domain: 'stats.test', timestamp: seconds(25) }],
      tiktokads: [{ id: 'C1', domain: 'tiktok.test', timestamp: seconds(90) }],
    })
    expect(rowsOf(audits, 0, tracking)).toEqual([
      ['matomo 7', ago(25), true, 'unseen'],
      ['tiktokads C1', ago(90), true, 'stale'],
    ])
    // An older audit is shown as it was.
    expect(rowsOf(audits, 1, tracking)).toEqual([['matomo 7', ago(25), true, 'now']])
  })
})

it('lists topics without findings and groups the others', () => {
  const found = collectFindings([audit(1, 'seen', finding('gtm', 'GTM-1'))], 0, null, now)
  expect(findMissingTopics(found)).not.toContain('gtm')
  expect(findMissingTopics(found)).toContain('matomo')
  expect((['ad_storage', 'gtm', 'fbadvancedmatching', 't3pref'] as const).map(findingGroupOf)).toEqual([
    'consent',
    'tags',
    'services',
    'others',
  ])
})
