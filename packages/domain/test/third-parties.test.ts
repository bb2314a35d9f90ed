import type { SeenRequest, StoredItem, Visited, VisitedStop } from '@kustos/clients/browser'
import type { RecordsResult } from '@kustos/clients/dns'
import { domainStatus, nothingFound, webStatus } from '@kustos/contract/webs'
import {
  logEntries,
  trackingAudits,
  trackingViolations,
  webs,
  webThirdParties,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { desc, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { createContext } from '../src/platform/context.ts'
import { classifyThirdParty, editTrackingPolicy, listThirdParties } from '../src/third-parties/index.ts'
import { auditTracking } from '../src/tracking/index.ts'
import { collectChangedLists } from './collect-notifications.ts'
import { openRounds } from './monitoring/rounds.ts'
import { home, host, visitOf } from './unit/tracking/page-fixtures.ts'
import { addWeb } from './web-row.ts'

const database = await testDatabase()
const { db } = database
const { alerts } = await openRounds(database)

const online = { status: webStatus.active, domain_status: domainStatus.online }
const start = Date.parse('2026-11-20T10:00:00Z')
const hour = 3_600_000
let web = 0
let clock = start
/** The names that hosts are aliases of; null if name servers do not answer. */
let aliases: Readonly<Record<string, string>> | null = {}
const context = createContext(database, null, () => new Date(clock))

beforeEach(async () => {
  clock = start
  aliases = {}
  await db.delete(webs)
  await database.owner.pool.query('delete from third_party_classifications')
  web = await addWeb(database, host, online)
})

const hotjar = 'https://static.hotjar.com/c/hotjar-1.js'
const font = 'https://fonts.gstatic.com/s/a.woff2'
const widget = 'https://eu.widget.example/w.js'

type Requests = readonly (readonly [url: string, phase: SeenRequest['phase']])[]

const request = ([url, phase]: Requests[number]): SeenRequest => ({
  url,
  phase,
  method: 'GET',
  resourceType: 'script',
  initiator: null,
  body: null,
})

const dns = {
  records: (name: string): Promise<RecordsResult> =>
    Promise.resolve(
      aliases === null
        ? { outcome: 'unknown', reason: { code: 'dns_timeout' } }
        : { outcome: 'answered', records: aliases[name] === undefined ? [] : [aliases[name]] },
    ),
}

/** @param requests null for an audit without a browser */
async function audit(
  requests: Requests | null,
  html = '<html></html>',
  problems: boolean = false,
  stored: readonly StoredItem[] = [],
  choices: Partial<Visited['consent']> = {},
  collected?: Visited['collected'],
  stops: Visited['stops'] = [],
) {
  clock += 24 * hour
  const visited = {
    outcome: 'visited',
    url: home,
    requests: (requests ?? []).map(request),
    stored,
    tcStrings: [],
    screenshots: [],
    consent: { refused: null, accepted: null, withdrawn: null, ...choices },
    collected: collected ?? [
      'before',
      ...(['refused', 'accepted', 'withdrawn'] as const).filter((phase) => choices[phase] != null),
    ],
    stops,
    problems: problems ? [{ code: 'no_time_left', text: '' }] : [],
  }
  const browser = requests && { visit: () => Promise.resolve(visited as never) }
  const pages = { visit: () => visitOf({ [home]: html }), close: () => undefined }
  await auditTracking(context, { pages, browser, dns, alerts }, web)
}

const stored = async () =>
  (await db.select().from(webThirdParties).orderBy(webThirdParties.phase, webThirdParties.host)).map(
    ({ phase, host: name, entity, category }) => `${phase} ${name} ${entity} ${category}`,
  )
const trackingOf = async () => {
  const [row] = await db.select({ tracking: webs.tracking_data }).from(webs).where(eq(webs.id, web))
  return row?.tracking
}
const violations = async () => (await db.select().from(trackingViolations)).map(({ services }) => services)
const latestEarly = async () => {
  const [row] = await db.select().from(trackingAudits).orderBy(desc(trackingAudits.id)).limit(1)
  return row?.before_consent
}
const listAll = (filter: Parameters<typeof listThirdParties>[1] = {}) =>
  listThirdParties(context, filter, { internalMarker: '.intern.' })
const lastEntry = async () => {
  const [row] = await db.select().from(logEntries).orderBy(desc(logEntries.id)).limit(1)
  return row
}

describe('what webs load', () => {
  const page = `<link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Inter">
    <link rel="canonical" href="https://other.example/"><img src="/own.png"><script src="${widget}"></script>`

  test('is stored by phase, with the services and names', async () => {
    await audit(
      [
        [hotjar, 'before'],
        [`${home}main.js`, 'before'],
        ['https://www.youtube.com/embed/a', 'accepted'],
      ],
      page,
    )
    expect(await stored()).toEqual([
      'accepted www.youtube.com YouTube embedded_media',
      'before static.hotjar.com Hotjar session_replay',
      'static eu.widget.example  unknown',
      'static fonts.googleapis.com Google Fonts fonts',
    ])
    expect(await trackingOf()).toMatchObject({
      third_parties: [
        'Google Fonts',
        'Hotjar',
        'YouTube',
        'eu.widget.example',
        'fonts.googleapis.com',
        'static.hotjar.com',
        'www.youtube.com',
      ],
      before_consent: ['Hotjar'],
    })
    expect(await latestEarly()).toEqual([{ topic: null, host: 'static.hotjar.com', entity: 'Hotjar' }])
    expect(await violations()).toEqual([['Hotjar']])
  })

  test('is kept with its beginning while audits see it, and goes with the first that does not', async () => {
    await audit([[hotjar, 'before']], page)
    await audit([[hotjar, 'before']], page)
    const [row] = await db.select().from(webThirdParties).where(eq(webThirdParties.phase, 'before'))
    expect(row).toMatchObject({ first_seen: new Date(start + 24 * hour), last_seen: new Date(clock) })
    // Without a browser, nothing is known of what one would request.
    await audit(null)
    expect(await stored()).toEqual(['before static.hotjar.com Hotjar session_replay'])
    expect(await violations()).toEqual([['Hotjar']])
    await audit([])
    expect(await stored()).toEqual([])
    expect(await violations()).toEqual([])
    expect(await trackingOf()).toMatchObject({ third_parties: [], before_consent: [] })
  })

  test('is forgotten by partial audits, too, once none has seen it for as long as services count as current', async () => {
    const names = async () => (await trackingOf())?.third_parties
    await audit([[font, 'accepted']], page, false, [cookie('_hjSession_1', 'accepted')])
    const seen = ['Google Fonts', 'eu.widget.example', 'fonts.googleapis.com', 'fonts.gstatic.com']
    expect(await names()).toEqual([...seen.slice(0, 1), '_hjSession_1', ...seen.slice(1)])
    await audit([], undefined, true)
    await audit(null)
    expect(await names()).toEqual(['Google Fonts', '_hjSession_1', 'fonts.gstatic.com'])
    await audit([], undefined, true)
    expect(await names()).toEqual([])
  })

  test('stays after a partial visit in the phases that it has not reached', async () => {
    await audit([
      [hotjar, 'before'],
      [font, 'accepted'],
    ])
    await audit([[widget, 'before']], undefined, true)
    expect(await stored()).toEqual([
      'accepted fonts.gstatic.com Google Fonts fonts',
      'before eu.widget.example  unknown',
    ])
  })
})

const cookie = (name: string, phase: StoredItem['phase'], setBy: string | null = null): StoredItem => ({
  phase,
  kind: 'cookie',
  name,
  setBy,
  host: `.${host}`,
  lifetimeSeconds: 60,
})

test('a violation after a choice ends with a partial visit that came to the same choice and saw nothing', async () => {
  const way = { manager: 'Klaro', way: 'call' } as const
  const choices = { refused: way, accepted: way, withdrawn: way }
  const seen: Requests = [
    [hotjar, 'refused'],
    [widget, 'withdrawn'],
  ]
  await audit(seen, undefined, true, [], choices)
  expect(await violations()).toEqual([['Hotjar']])
  await audit([], undefined, true)
  expect(await violations()).toEqual([['Hotjar']])
  await audit([], undefined, true, [], { refused: way })
  expect(await violations()).toEqual([])
  expect(await stored()).toEqual(['withdrawn eu.widget.example  unknown'])
  await audit([], undefined, true, [], choices)
  expect(await stored()).toEqual([])
})

test('a violation stays after a visit that came to the same choice but did not see all of it', async () => {
  const way = { manager: 'Klaro', way: 'call' } as const
  await audit([[hotjar, 'refused']], undefined, false, [], { refused: way })
  for (const hasProblem of [true, false])
    await audit([], undefined, hasProblem, [], { refused: way }, ['before'])
  expect(await violations()).toEqual([['Hotjar']])
  await audit([], undefined, false, [])
  expect(await violations()).toEqual([])
})

test('a violation before consent stays if a further page or visitor could not be seen, unless that page does not exist', async () => {
  const stop = (page: 'start' | 'contact', problem: VisitedStop['problem']) => ({
    stop: { page, visitor: 'desktop', path: `/${page}` } as const,
    problem,
  })
  const answered = (status: number) => ({ code: 'visit_answered', params: { status } }) as const
  const visitWith = (requests: Requests, problem: VisitedStop['problem']) =>
    audit(requests, undefined, false, [], {}, ['before'], [stop('start', null), stop('contact', problem)])
  await visitWith([[hotjar, 'before']], null)
  const [since] = await db.select().from(trackingViolations)
  for (const problem of [{ code: 'visit_timed_out' }, answered(503)] as const) {
    await visitWith([], problem)
    expect(await violations()).toEqual([['Hotjar']])
  }
  await visitWith([[hotjar, 'before']], null)
  expect(await db.select().from(trackingViolations)).toEqual([since])
  await visitWith([], answered(404))
  expect(await violations()).toEqual([])
})

test('a violation after a choice stays after complete visits that did not come to it, while services count as current', async () => {
  const way = { manager: 'Klaro', way: 'call' } as const
  const seen: Requests = [
    [hotjar, 'refused'],
    [widget, 'withdrawn'],
  ]
  await audit(seen, undefined, false, [], { refused: way, accepted: way, withdrawn: way })
  await audit([])
  await audit([], undefined, false, [], { accepted: way })
  expect(await violations()).toEqual([['Hotjar']])
  expect(await stored()).toHaveLength(2)
  await audit(null)
  expect(await stored()).toHaveLength(2)
  await audit([])
  expect(await violations()).toEqual([])
  expect(await stored()).toEqual([])
})

test('a violation behind a name of the web stays while name servers do not say what is behind it', async () => {
  const own: Requests = [['https://x7k.hotel.test/p.js', 'before']]
  const latest = async () => {
    const [row] = await db.select().from(trackingAudits).orderBy(desc(trackingAudits.id)).limit(1)
    return [row?.outcome, row?.is_complete, row?.problems]
  }
  aliases = { 'x7k.hotel.test': 'hotel.dnsdelegation.io' }
  await audit(own)
  expect(await violations()).toEqual([['Criteo']])
  aliases = null
  await audit(own)
  expect(await violations()).toEqual([['Criteo']])
  expect(await latest()).toEqual([
    'partial',
    false,
    ['The CNAME records of x7k.hotel.test could not be read.'],
  ])
  aliases = {}
  await audit(own)
  expect(await violations()).toEqual([])
})

describe('what a tracker stores', () => {
  test('under the name of the web itself is a violation, and no third party', async () => {
    await audit([], undefined, false, [cookie('_fbp', 'before')])
    expect(await violations()).toEqual([['facebookads']])
    expect((await listAll()).data).toEqual([])
  })

  test('counts like a request before consent and after a refusal, also if a script of the web set it', async () => {
    await audit([], undefined, false, [
      cookie('_fbp', 'before', `${home}main.js`),
      cookie('_ga', 'refused'),
      cookie('_hjSessionUser_1', 'accepted'),
      cookie('_pk_id.1.1fff', 'withdrawn'),
      cookie('session', 'before'),
    ])
    expect(await stored()).toEqual([
      `before ${host} Facebook Ads advertising`,
      `refused ${host} Google Analytics analytics`,
    ])
    expect(await violations()).toEqual([['facebookads', 'googleanalytics']])
    expect(await trackingOf()).toMatchObject({ before_consent: ['Facebook Ads'] })
    await editTrackingPolicy(context, { decisions: { advertising: 'review' } })
    expect(await violations()).toEqual([['googleanalytics']])
    await editTrackingPolicy(context, { decisions: { advertising: 'consent' } })
    await audit([], undefined, false, [cookie('session', 'before')], {
      refused: { manager: null, way: 'button' },
    })
    expect(await violations()).toEqual([])
  })

  test('is a violation although its request said that consent was denied', async () => {
    const denied = 'https://region1.google-analytics.com/g/collect?v=2&tid=G-ABCDEF1234&gcs=G100'
    await audit([[denied, 'before']])
    expect(await violations()).toEqual([])
    await audit([[denied, 'before']], undefined, false, [cookie('_ga', 'before')])
    expect(await violations()).toEqual([['googleanalytics']])
    expect(await stored()).toEqual(['before region1.google-analytics.com Google Analytics analytics'])
  })
})

describe('the policy', () => {
  test('is applied at once to all webs, while stored audits keep their verdicts', async () => {
    await audit([
      [font, 'before'],
      [hotjar, 'refused'],
    ])
    expect(await violations()).toEqual([['Hotjar']])
    expect(await latestEarly()).toEqual([])
    clock += hour
    await editTrackingPolicy(context, { decisions: { fonts: 'consent', session_replay: 'none' } })
    expect(await db.select().from(trackingViolations)).toEqual([
      { web_id: web, since: new Date(clock - hour), services: ['Google Fonts'] },
    ])
    expect(await latestEarly()).toEqual([{ topic: null, host: 'fonts.gstatic.com', entity: 'Google Fonts' }])
    expect(await trackingOf()).toMatchObject({ before_consent: ['Google Fonts'] })
    const [audited] = await db.select({ visit: trackingAudits.visit }).from(trackingAudits)
    expect(audited?.visit).toMatchObject({ asked: [{ verdict: 'violation' }, { verdict: 'review' }] })
    expect(await lastEntry()).toMatchObject({
      log_name: 'third-parties',
      description: 'updated',
      properties: {
        old: { fonts: 'review', session_replay: 'consent' },
        attributes: { fonts: 'consent', session_replay: 'none' },
      },
    })
    await editTrackingPolicy(context, { decisions: { fonts: 'review', session_replay: 'consent' } })
    expect(await violations()).toEqual([['Hotjar']])
  })

  test('accuses no request that said that consent was denied, although it needed none when it was seen', async () => {
    const denied = 'https://region1.google-analytics.com/g/collect?v=2&tid=G-ABCDEF1234&gcs=G100'
    await editTrackingPolicy(context, { decisions: { analytics: 'none' } })
    await audit([
      [denied, 'before'],
      [`${denied}&en=page_view`, 'refused'],
    ])
    const [audited] = await db.select({ visit: trackingAudits.visit }).from(trackingAudits)
    expect(audited?.visit).toMatchObject({
      asked: [{ verdict: 'none', is_denied: true }, { is_denied: true }],
    })
    await editTrackingPolicy(context, { decisions: { analytics: 'consent' } })
    expect(await violations()).toEqual([])
    expect(await latestEarly()).toEqual([])
    // One that says so and one that does not.
    await editTrackingPolicy(context, { decisions: { analytics: 'none' } })
    await audit([
      [denied, 'before'],
      [denied.replace('G100', 'G111'), 'before'],
    ])
    await editTrackingPolicy(context, { decisions: { analytics: 'consent' } })
    expect(await violations()).toEqual([['googleanalytics']])
  })

  test('follows a classification of a domain until it is taken back', async () => {
    await audit([
      [widget, 'before'],
      [hotjar, 'before'],
    ])
    const classify = (name: string, category: 'advertising' | 'utility' | null) =>
      classifyThirdParty(context, { host: name, category, reason: 'Asked the vendor' })
    await classify('widget.example', 'advertising')
    expect(await violations()).toEqual([['Hotjar', 'eu.widget.example']])
    await classify('static.hotjar.com', 'utility')
    expect(await violations()).toEqual([['eu.widget.example']])
    const { data } = await listAll()
    expect(
      data.map(({ host: name, category, decision, classification, webs_violating }) => [
        name,
        category,
        decision,
        classification?.host,
        webs_violating,
      ]),
    ).toEqual([
      ['eu.widget.example', 'advertising', 'consent', 'widget.example', 1],
      ['static.hotjar.com', 'utility', 'none', 'static.hotjar.com', 0],
    ])
    // The next audit judges by it, too.
    await audit([[widget, 'before']])
    const [latest] = await db.select().from(trackingAudits).orderBy(desc(trackingAudits.id)).limit(1)
    expect(latest?.visit).toMatchObject({ asked: [{ verdict: 'violation', category: 'unknown' }] })
    await classify('widget.example', null)
    expect(await violations()).toEqual([])
    expect(await lastEntry()).toMatchObject({ description: 'deleted', subject_type: 'third_party' })
  })

  test('rejects a classification of a public suffix', async () => {
    for (const name of ['com', 'co.uk', 'github.io'])
      await expect(
        classifyThirdParty(context, { host: name, category: 'cdn', reason: 'All of them' }),
      ).rejects.toMatchObject({ details: { errors: { host: [{ code: 'host_name_public_suffix' }] } } })
  })
})

test('a visit that finds what the last one has found notifies no screen', async () => {
  const requests: Requests = [
    [hotjar, 'before'],
    [widget, 'before'],
  ]
  await audit(requests)
  expect(await violations()).toEqual([['Hotjar']])
  expect(await collectChangedLists(database, () => audit(requests))).toEqual([])
  expect(await collectChangedLists(database, () => audit([]))).toEqual(
    expect.arrayContaining(['webs', 'monitored_webs', 'attention']),
  )
  expect(await violations()).toEqual([])
})

test('lists who loads what, by host and by service', async () => {
  await audit([
    [hotjar, 'before'],
    ['https://script.hotjar.com/modules.js', 'accepted'],
    [font, 'before'],
    ['https://bilder.müller.example/a.png', 'accepted'],
  ])
  const tracking_data = { ...nothingFound, third_parties: ['static.hotjar.com'] }
  const other = await addWeb(database, 'other.test', { ...online, tracking_data })
  const [first] = await db.select().from(webThirdParties).where(eq(webThirdParties.host, 'static.hotjar.com'))
  if (!first) throw new Error('Nothing is stored')
  await db.insert(webThirdParties).values({ ...first, web_id: other, phase: 'static', is_denied: false })
  const list = async (filter: Parameters<typeof listThirdParties>[1]) =>
    (await listAll(filter)).data.map(
      ({ host: name, webs: all, webs_before_consent: early }) => `${name} ${all} ${early}`,
    )
  expect(await list({})).toEqual([
    'static.hotjar.com 2 1',
    'script.hotjar.com 1 0',
    'bilder.xn--mller-kva.example 1 0',
    'fonts.gstatic.com 1 1',
  ])
  for (const name of ['Müller.example', 'xn--mller-kva.example', 'bilder.MÜLLER.example'])
    expect(await list({ host: name })).toEqual(['bilder.xn--mller-kva.example 1 0'])
  expect(await list({ host: 'Hotjar.com' })).toEqual(['static.hotjar.com 2 1', 'script.hotjar.com 1 0'])
  expect(await list({ service: 'google fonts' })).toEqual(['fonts.gstatic.com 1 1'])
  expect(await list({ host: 'jar.com' })).toEqual([])
  // Webs that the tracking list does not have, or not as loading it any more.
  for (const set of [
    { deleted_at: new Date() },
    { deleted_at: null, domain_status: domainStatus.offline },
    { ...online, fqdn: 'other.intern.test' },
    { fqdn: 'other.test', tracking_data: nothingFound },
  ]) {
    await db.update(webs).set(set).where(eq(webs.id, other))
    expect(await list({ host: 'static.hotjar.com' })).toEqual(['static.hotjar.com 1 1'])
  }
  const { data, policy } = await listAll({ service: 'Hotjar' })
  expect(data[1]).toMatchObject({
    entity: 'Hotjar',
    category: 'session_replay',
    classification: null,
    alias: null,
  })
  expect(data[0]?.last_seen).toBe(new Date(clock).toISOString())
  expect(policy).toMatchObject({ analytics: 'consent', captcha: 'review', unknown: 'review', cdn: 'none' })
})
