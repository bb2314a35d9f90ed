import type { Finding } from '@kustos/contract/tracking'
import { isCurrent, trackingData } from '@kustos/contract/webs'
import { expect, test } from 'vitest'
import { mergeTracking } from '../../../src/tracking/merge-tracking.ts'
import { finding } from './finding.ts'

const now = 1_800_000_000
const day = 86_400
const complete = (...findings: Finding[]) => ({ findings, complete: true })
const partial = (...findings: Finding[]) => ({ findings, complete: false })
const meta = finding('facebookads', '123456789012345', { domain: 'connect.facebook.net' })

const everything = mergeTracking(
  null,
  complete(
    finding('usercentrics', 'aB3', { version: 2, domain: 'app.usercentrics.eu', names: ['Matomo'] }),
    finding('gtm', 'GTM-ABC1', { domain: 'sgtm.a.test' }),
    finding('sgtmid', 'GTM-ABC1'),
    finding('ad_storage', 'denied'),
    meta,
    finding('matomo', '1', { domain: 'm.test' }),
    finding('fbadvancedmatching'),
    finding('referrerjs', 'https://a.test/referrer.js', { version: 2 }),
    finding('t3pref'),
    finding('polyfillio'),
    finding('digiaccess', 'installed'),
  ),
  now - day,
)

test('stores the first findings as they are', () => {
  expect(trackingData.parse(everything)).toEqual({
    usercentrics: { id: 'aB3', version: 2, src: 'https://a.test/x.js', services: [{ name: 'Matomo' }] },
    gtm: { id: 'GTM-ABC1', domain: 'sgtm.a.test' },
    sgtmid: 'GTM-ABC1',
    referrerjs: { version: 2 },
    cookies: { t3pref: true, t3pentry: false },
    consentmode: {
      ad_storage: 'denied',
      analytics_storage: null,
      ad_user_data: null,
      ad_personalization: null,
    },
    tracking_services: {
      matomo: [{ id: '1', domain: 'm.test', timestamp: now - day }],
      googleanalytics: [],
      googleads: [],
      facebookads: [{ id: '123456789012345', domain: 'connect.facebook.net', timestamp: now - day }],
      pinterestads: [],
      microsoftads: [],
      linkedinads: [],
      tiktokads: [],
    },
    fbadvancedmatching: true,
    polyfillio: true,
    digiaccess: 2,
  })
})

test('updates time and host of a service that is seen again', () => {
  const { facebookads } = mergeTracking(
    everything,
    complete({ ...meta, domain: 'fb.a.test' }),
    now,
  ).tracking_services
  expect(facebookads).toEqual([{ id: '123456789012345', domain: 'fb.a.test', timestamp: now }])
})

test('keeps the time of a service that is not seen, so that it becomes stale', () => {
  const later = now + 2 * day
  const merged = mergeTracking(
    everything,
    complete(finding('facebookads', '99999999', { domain: 'x.test' })),
    later,
  )
  const { facebookads } = merged.tracking_services
  expect(facebookads.map(({ id, timestamp }) => [id, timestamp])).toEqual([
    ['99999999', later],
    ['123456789012345', now - day],
  ])
  expect(facebookads.map(({ timestamp }) => isCurrent(timestamp, later))).toEqual([true, false])
})

test('distinguishes the same Matomo site on another host', () => {
  const { matomo } = mergeTracking(
    everything,
    complete(finding('matomo', '1', { domain: 'n.test' })),
    now,
  ).tracking_services
  expect(matomo.map(({ domain }) => domain)).toEqual(['n.test', 'm.test'])
})

test('removes other facts that a complete audit did not find', () => {
  expect(mergeTracking(everything, complete(), now)).toEqual({
    ...mergeTracking(null, complete(), now),
    tracking_services: everything.tracking_services,
  })
})

test('removes nothing after a partial audit', () => {
  expect(mergeTracking(everything, partial(), now)).toEqual(everything)
  expect(mergeTracking(everything, partial(finding('digiaccess', 'error')), now)).toEqual({
    ...everything,
    digiaccess: 1,
  })
})

test("keeps Usercentrics' services if they cannot be requested and the settings are the same", () => {
  const unknown = (id: string) => complete(finding('usercentrics', id, { version: 3 }))
  expect(mergeTracking(everything, unknown('aB3'), now).usercentrics).toMatchObject({
    version: 3,
    services: [{ name: 'Matomo' }],
  })
  expect(mergeTracking(everything, unknown('other'), now).usercentrics).toMatchObject({ services: [] })
})

test("limits the length of a service's list", () => {
  let known = everything
  for (let id = 0; id < 200; id++)
    known = mergeTracking(known, complete(finding('matomo', String(id), { domain: 'm.test' })), now + id)
  expect(known.tracking_services.matomo).toHaveLength(50)
  expect(known.tracking_services.matomo[0]).toMatchObject({ id: '199', timestamp: now + 199 })
})
