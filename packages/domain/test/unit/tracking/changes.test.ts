import type { Finding, TrackingChange } from '@kustos/contract/tracking'
import { expect, test } from 'vitest'
import { diffFindings, mergeFindings } from '../../../src/tracking/list-audits.ts'
import { finding } from './finding.ts'

const ga = (id: string) => finding('googleanalytics', id, { domain: 'www.googletagmanager.com' })
const gtm = (id: string, domain = 'www.googletagmanager.com') => finding('gtm', id, { domain })
const uc = (version: number) => finding('usercentrics', 'aB3', { version })
const gaFrom = (id: string, domain: string) => finding('googleanalytics', id, { domain })
const change = (topic: TrackingChange['topic'], old: string | null, now: string | null) => ({
  topic,
  old,
  new: now,
})

test.each<[string, Finding[], Finding[], TrackingChange[]]>([
  ['no change', [ga('G-A'), uc(2)], [ga('G-A'), uc(2)], []],
  ['only the order', [ga('G-A'), ga('G-B')], [ga('G-B'), ga('G-A')], []],
  [
    'added findings',
    [],
    [ga('G-A'), finding('polyfillio')],
    [change('googleanalytics', null, 'G-A'), change('polyfillio', null, 'yes')],
  ],
  ['removed findings', [ga('G-A'), ga('G-B')], [ga('G-B')], [change('googleanalytics', 'G-A', null)]],
  [
    'another id of a service',
    [ga('G-A')],
    [ga('G-B')],
    [change('googleanalytics', 'G-A', null), change('googleanalytics', null, 'G-B')],
  ],
  [
    'another container',
    [gtm('GTM-A')],
    [gtm('GTM-B')],
    [change('gtm', 'GTM-A, from www.googletagmanager.com', 'GTM-B, from www.googletagmanager.com')],
  ],
  [
    'another server of a container',
    [gtm('GTM-A')],
    [gtm('GTM-A', 'sgtm.a.test')],
    [change('gtm', 'GTM-A, from www.googletagmanager.com', 'GTM-A, from sgtm.a.test')],
  ],
  [
    'a service that moved to the operator’s server',
    [ga('G-A'), ga('G-B')],
    [gaFrom('G-A', 'sgtm.a.test'), ga('G-B')],
    [change('googleanalytics', 'G-A', 'G-A, from sgtm.a.test')],
  ],
  [
    'a service that moved back',
    [gaFrom('G-A', 'sgtm.a.test')],
    [ga('G-A')],
    [change('googleanalytics', 'G-A, from sgtm.a.test', 'G-A')],
  ],
  [
    'no service that moved between servers of its vendor',
    [ga('G-A')],
    [gaFrom('G-A', 'region1.google-analytics.com')],
    [],
  ],
  [
    'the same number on another Matomo, which is another site',
    [finding('matomo', '1', { domain: 'a.test' })],
    [finding('matomo', '1', { domain: 'b.test' })],
    [change('matomo', '1, from a.test', null), change('matomo', null, '1, from b.test')],
  ],
  ['another version', [uc(1)], [uc(2)], [change('usercentrics', 'aB3, version 1', 'aB3, version 2')]],
  [
    'another state',
    [finding('ad_storage', 'denied')],
    [finding('ad_storage', 'granted')],
    [change('ad_storage', 'denied', 'granted')],
  ],
])('reports %s', (_, old, now, changes) => {
  expect(diffFindings(old, now)).toEqual(changes)
})

test('does not report an id twice when its server changes', () => {
  expect(mergeFindings([ga('G-A')], [gaFrom('G-A', 'sgtm.a.test')])).toEqual([gaFrom('G-A', 'sgtm.a.test')])
})

test('does not report unreadable findings as removed', () => {
  const known = [ga('G-A'), gtm('GTM-A'), finding('digiaccess', 'installed')]
  const found = [ga('G-B'), finding('digiaccess', 'error')]
  expect(diffFindings(known, mergeFindings(known, found))).toEqual([
    change('googleanalytics', null, 'G-B'),
    change('digiaccess', 'installed', 'error'),
  ])
  expect(
    diffFindings(mergeFindings(known, found), [ga('G-B'), gtm('GTM-A'), finding('digiaccess', 'error')]),
  ).toEqual([change('googleanalytics', 'G-A', null)])
})
