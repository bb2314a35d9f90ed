import { expect, test } from 'vitest'
import { findStorageOwner, hasViolation, withoutLifted } from '../src/tracker-storage.ts'
import type { RequestedHost, StoredItem } from '../src/tracking.ts'

test.each<[name: string, host: string, owner: string | null]>([
  ['_ga', '.hotel.test', 'Google Analytics'],
  ['_ga_ABCDEF1234', '.hotel.test', 'Google Analytics'],
  ['_gat_UA-1234567-1', 'hotel.test', 'Google Analytics'],
  ['_gcl_au', '.hotel.test', 'Google Ads'],
  ['_gcl_ls', 'hotel.test', 'Google Ads'],
  ['FPID', '.hotel.test', 'Google Analytics'],
  ['FPLC', '.hotel.test', 'Google Analytics'],
  ['FPAU', '.hotel.test', 'Google Ads'],
  ['FPGCLAW', '.hotel.test', 'Google Ads'],
  ['test_cookie', '.doubleclick.net', 'Google Ads'],
  ['YSC', '.youtube.com', 'YouTube'],
  ['_fbp', '.hotel.test', 'Facebook Ads'],
  ['fr', '.facebook.com', 'Facebook Ads'],
  ['_uetvid_exp', 'hotel.test', 'Microsoft Ads'],
  ['MUID', '.bing.com', 'Microsoft Ads'],
  ['_clck', '.hotel.test', 'Clarity'],
  ['bcookie', '.linkedin.com', 'LinkedIn Ads'],
  ['_ttp', '.tiktok.com', 'TikTok Ads'],
  ['_pk_id.1.1fff', 'hotel.test', 'Matomo'],
  ['_hjSessionUser_123', '.hotel.test', 'Hotjar'],
  ['__hstc', '.hotel.test', 'HubSpot'],
  ['uid', '.criteo.com', 'Criteo'],
  ['AMCV_1234@AdobeOrg', '.hotel.test', 'Adobe Experience Cloud'],
  ['__qca', '.hotel.test', 'Quantcast'],
  // Names that others use as well, and what sites need.
  ['fr', '.hotel.test', null],
  ['uid', 'hotel.test', null],
  ['YSC', 'hotel.test', null],
  ['bcookie', 'hotel.test', null],
  ['PHPSESSID', 'hotel.test', null],
  ['_gallery', 'hotel.test', null],
  ['FPIDX', 'hotel.test', null],
  ['__utility', 'hotel.test', null],
  ['CookieConsent', 'hotel.test', null],
  ['uc_settings', 'hotel.test', null],
  ['_hj', 'hotel.test', null],
  // It remembers a refusal.
  ['et_allow_cookies', 'hotel.test', null],
  ['id', '.notdoubleclick.net', null],
])('%s of %s belongs to %s', (name, host, owner) => {
  expect(findStorageOwner({ name, host })?.entity ?? null).toBe(owner)
})

test('a visit has only the violations that count by the policy as it is now', () => {
  const request = (host: string, entity: string, more: Partial<RequestedHost> = {}): RequestedHost => ({
    phase: 'before',
    host,
    entity,
    topic: null,
    ids: [],
    requests: 1,
    verdict: 'violation',
    url: `https://${host}/`,
    method: 'GET',
    kind: 'script',
    initiator: null,
    ...more,
  })
  const asked = [
    request('static.hotjar.com', 'Hotjar'),
    request('www.facebook.com', 'Facebook Ads', { topic: 'facebookads' }),
    request('fonts.gstatic.com', 'Google Fonts', { verdict: 'review' }),
  ]
  const item = { kind: 'cookie', host: 'a.test', lifetime: null, set_by: null } as const
  const tracker = { topic: 'googleanalytics', entity: 'Google Analytics', verdict: 'violation' } as const
  const stored: StoredItem[] = [
    { ...item, ...tracker, phase: 'refused', name: '_ga' },
    { ...item, phase: 'before', name: 'session' },
  ]
  const visit = { refused: null, accepted: null, asked, stored }
  expect(withoutLifted(visit, ['Hotjar', 'facebookads', 'googleanalytics'])).toEqual(visit)
  expect(withoutLifted(visit, ['facebookads'])).toEqual({
    ...visit,
    asked: asked.slice(1),
    stored: stored.slice(1),
  })
  expect(hasViolation(withoutLifted(visit, []))).toBe(false)
})
