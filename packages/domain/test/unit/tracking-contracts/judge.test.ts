import { knownManagers } from '@kustos/clients/browser/autoconsent-rules'
import { englishText } from '@kustos/contract/messages/english'
import {
  type ContractSettings,
  knownConsentTools,
  noContractSettings,
} from '@kustos/contract/tracking-contracts/states'
import { describe, expect, it } from 'vitest'
import { agreeTo } from '../../../src/tracking-contracts/agree.ts'
import { describeDifference } from '../../../src/tracking-contracts/describe.ts'
import { draftContract } from '../../../src/tracking-contracts/draft.ts'
import { type Difference, isAgreed, judge, keyOf } from '../../../src/tracking-contracts/judge.ts'
import { type AuditResult, observe, usercentrics } from '../../../src/tracking-contracts/observe.ts'
import { finding, request, visit } from '../../tracking-contracts/audits.ts'

const now = new Date('2026-11-20T10:00:00Z')
const agreed: ContractSettings = {
  ...noContractSettings,
  consent_tool: 'Usercentrics',
  consent_tool_id: 'abc',
  consent_tool_version: '3',
  gtm: ['GTM-AAAA111'],
  googleanalytics: ['G-AAAA111'],
  before_consent: ['gtm', 'fonts.example.com'],
  hosts: ['cdn.example.com', '*.widgets.test'],
}
const tool = finding('usercentrics', 'abc', { version: 3 })
const gtm = finding('gtm', 'GTM-AAAA111')
const analytics = finding('googleanalytics', 'G-AAAA111')
const accepted = { phase: 'accepted' } as const
const kept: AuditResult = {
  host: 'www.hotel.test',
  findings: [tool, gtm, analytics],
  visit: visit([
    request('app.usercentrics.eu', { topic: 'usercentrics' }),
    request('www.googletagmanager.com', { topic: 'gtm', ids: ['GTM-AAAA111'] }),
    request('fonts.example.com'),
    request('media.hotel.test'),
    request('cdn.example.com', accepted),
    request('a.widgets.test', accepted),
    request('region1.google-analytics.com', { ...accepted, topic: 'googleanalytics', ids: ['G-AAAA111'] }),
  ]),
  isComplete: true,
}

const cookiebot = (...ids: readonly string[]) => ({
  findings: [],
  visit: {
    ...visit([request('consent.cookiebot.com', { category: 'consent_tool', ids: [...ids] })]),
    accepted: { manager: 'Cookiebot', way: 'button' as const },
  },
})
const ofCookiebot: ContractSettings = {
  ...noContractSettings,
  consent_tool: 'Cookiebot',
  consent_tool_id: 'abc',
}

it('expects the hosts of the agreed consent tool, also those that audits did not know as such, and those of no other one', () => {
  const agreedHosts = { ...ofCookiebot, hosts: [], before_consent: [] }
  const eu = request('consentcdn.cookiebot.eu', { category: 'unknown', verdict: 'review' })
  const banner = { manager: 'Cookiebot', way: 'button' } as const
  const answered = { findings: [], visit: visit([eu], { accepted: banner, refused: banner }) }
  expect(judgeAudit(answered, agreedHosts)).toEqual([])
  expect(briefly(judgeAudit(answered, { ...agreedHosts, consent_tool: 'Klaro' }))).toEqual([
    ['unexpected', 'consent_tool', 'Cookiebot'],
    ['unexpected', 'consentcdn.cookiebot.eu', null],
    ['too_early', 'consentcdn.cookiebot.eu', null],
  ])
})

describe('a banner that was answered by its labels, so that its tool is unknown', () => {
  const byLabel = { manager: null, way: 'button' } as const
  const answered = { findings: [gtm], visit: visit([], { refused: byLabel, accepted: byLabel }) }
  const unanswered = { findings: [gtm], visit: visit([], { refused: null, accepted: null }) }

  it('does not make the agreed tool missing, but its absence does', () => {
    const complianz = { ...noContractSettings, consent_tool: 'Complianz' }
    expect(judgeAudit(answered, complianz)).toEqual([])
    expect(briefly(judgeAudit(unanswered, complianz))).toEqual([['missing', 'consent_tool', null]])
  })

  it('is no agreement to have none, and tags are not missing once it cannot be answered any more', () => {
    const observation = observe({ ...kept, ...answered, findings: [gtm, analytics] })
    const { settings } = draftContract([{ web_id: 1, fqdn: 'hotel.test', observation }])
    expect(settings).toMatchObject({
      consent_tool: null,
      consent_tool_id: null,
      consent_tool_version: null,
      googleanalytics: ['G-AAAA111'],
    })
    expect(judgeAudit(unanswered, settings)).toEqual([])
    expect(briefly(judgeAudit(answered, settings))).toEqual([['missing', 'googleanalytics', 'G-AAAA111']])
  })

  it('is told from a page without a banner, whose tags can be missing without consent', () => {
    const observation = observe({ ...kept, ...unanswered, findings: [gtm, analytics] })
    const { settings } = draftContract([{ web_id: 1, fqdn: 'hotel.test', observation }])
    expect(settings).toMatchObject({ consent_tool: '', consent_tool_id: '' })
    expect(briefly(judgeAudit(unanswered, settings))).toEqual([['missing', 'googleanalytics', 'G-AAAA111']])
  })

  it('follows the consent tool of its customer in a draft', () => {
    const web = (web_id: number, audit: Partial<AuditResult>) => ({
      web_id,
      fqdn: `web${web_id}.test`,
      observation: observe({ ...kept, ...audit }),
    })
    const known = { findings: [tool, gtm] }
    const unknown = { findings: [gtm], visit: { ...answered.visit, asked: kept.visit?.asked ?? [] } }
    const { settings, overrides } = draftContract([web(1, known), web(2, known), web(3, unknown)])
    expect(settings.consent_tool).toBe('Usercentrics')
    expect(overrides).toEqual([])
  })
})

it('takes the id and version of the consent tool that was answered, not of one that was left over', () => {
  const leftOver = request('consent.cookiebot.com', { category: 'consent_tool', ids: ['old'] })
  const oneTrust = request('cdn.cookielaw.org', {
    category: 'consent_tool',
    ids: ['abc'],
    versions: ['202501.2.0'],
  })
  const answered = (...asked: ReturnType<typeof request>[]) => ({
    findings: [],
    visit: { ...visit(asked), accepted: { manager: 'OneTrust', way: 'button' as const } },
  })
  const ofOneTrust = {
    ...noContractSettings,
    consent_tool: 'OneTrust',
    consent_tool_id: 'abc',
    consent_tool_version: '202501.2.0',
  }
  expect(judgeAudit(answered(leftOver, oneTrust), ofOneTrust)).toEqual([])
  const updated = answered(leftOver, { ...oneTrust, versions: ['202508.1.0'] })
  expect(briefly(judgeAudit(updated, ofOneTrust))).toEqual([
    ['wrong_version', 'consent_tool_version', '202508.1.0'],
  ])
  const unclear = answered({ ...oneTrust, versions: ['202501.2.0', '202508.1.0'] })
  expect(judgeAudit(unclear, ofOneTrust)).toEqual([])
})

it('compares consent tools that can be chosen by the names that browsers have for them', () => {
  expect(knownConsentTools).toEqual(expect.arrayContaining([...knownManagers, usercentrics]))
})

/** Kind, subject and value of each difference. */
const briefly = (differences: readonly Difference[]) =>
  differences.map(({ kind, subject, value }) => [kind, subject, value])
const judgeAudit = (
  audit: Partial<AuditResult>,
  contract = agreed,
  exceptions: Parameters<typeof judge>[2] = [],
) => judge(observe({ ...kept, ...audit }), contract, exceptions, now)
const seen = (...more: ReturnType<typeof request>[]) => ({
  visit: visit([...(kept.visit?.asked ?? []), ...more]),
})

const pixel = finding('facebookads', '123456789012345')
const other = finding('googleanalytics', 'G-BBBB222')

const cases: readonly [
  name: string,
  audit: Partial<AuditResult>,
  expected: unknown,
  contract?: ContractSettings,
][] = [
  ['an audit that keeps it', {}, []],
  ['a contract without anything', { findings: [pixel] }, [], noContractSettings],
  [
    'a tag that is gone',
    { findings: [tool, gtm], visit: visit([]) },
    [['missing', 'googleanalytics', 'G-AAAA111']],
  ],
  [
    'a tag that an incomplete audit has not seen',
    { findings: [tool], visit: visit([]), isComplete: false },
    [],
  ],
  [
    'a tag that needs a consent that could not be given',
    { findings: [tool, gtm], visit: visit([], { accepted: null }) },
    [],
  ],
  [
    'another id',
    { findings: [tool, gtm, other], visit: visit([]) },
    [['wrong_id', 'googleanalytics', 'G-BBBB222']],
  ],
  [
    'an additional id',
    { findings: [tool, gtm, analytics, other] },
    [['unexpected', 'googleanalytics', 'G-BBBB222']],
  ],
  [
    'a tag that nobody has agreed on',
    { findings: [...kept.findings, pixel] },
    [['unexpected', 'facebookads', null]],
  ],
  [
    'a tag that only a request shows',
    seen(request('ct.pinterest.com', { ...accepted, topic: 'pinterestads' })),
    [['unexpected', 'pinterestads', null]],
  ],
  [
    'a tag of any id',
    { findings: [tool, gtm, other], visit: visit([]) },
    [],
    { ...agreed, googleanalytics: ['*'] },
  ],
  [
    'no tag of any id',
    { findings: [tool, gtm], visit: visit([]) },
    [['missing', 'googleanalytics', null]],
    { ...agreed, googleanalytics: ['*'] },
  ],
  [
    'a tag whose id is unknown',
    { findings: [tool, gtm, finding('googleanalytics', null)], visit: visit([]) },
    [],
  ],
  [
    'ids that were typed in other letters than audits find',
    { findings: [tool, gtm, analytics, finding('matomo', '3', { domain: 'stats.hotel.test' })] },
    [],
    { ...agreed, gtm: ['gtm-aaaa111'], googleanalytics: ['g-AAAA111'], matomo: ['3@Stats.Hotel.test'] },
  ],
  [
    'the id of a Matomo without its server',
    { findings: [tool, gtm, analytics, finding('matomo', '3', { domain: 'stats.hotel.test' })] },
    [],
    { ...agreed, matomo: ['3'] },
  ],
  [
    'the same id at another server',
    { findings: [tool, gtm, analytics, finding('matomo', '3', { domain: 'else.test' })] },
    [['wrong_id', 'matomo', '3@else.test']],
    { ...agreed, matomo: ['3@stats.hotel.test'] },
  ],
  [
    'another version of the consent tool',
    { findings: [finding('usercentrics', 'abc', { version: 2 }), gtm, analytics] },
    [['wrong_version', 'consent_tool_version', '2']],
  ],
  [
    'another id of the consent tool',
    { findings: [finding('usercentrics', 'xyz', { version: 3 }), gtm, analytics] },
    [['wrong_id', 'consent_tool_id', 'xyz']],
  ],
  [
    'no consent tool',
    { findings: [gtm, analytics], visit: visit(kept.visit?.asked ?? [], { refused: null, accepted: null }) },
    [['missing', 'consent_tool', null]],
  ],
  [
    'another consent tool',
    {
      findings: [gtm, analytics],
      visit: visit(kept.visit?.asked ?? [], { accepted: { manager: 'Cookiebot', way: 'call' } }),
    },
    [['unexpected', 'consent_tool', 'Cookiebot']],
  ],
  ['the agreed id of a consent tool in its requests', cookiebot('abc'), [], ofCookiebot],
  [
    'another id of a consent tool in its requests',
    cookiebot('def'),
    [['wrong_id', 'consent_tool_id', 'def']],
    ofCookiebot,
  ],
  ['several ids of consent tools', cookiebot('abc', 'def'), [], ofCookiebot],
  ['no id of a consent tool', cookiebot(), [], ofCookiebot],
  [
    'a consent tool where none was agreed on',
    {},
    [['unexpected', 'consent_tool', 'Usercentrics']],
    { ...agreed, consent_tool: '', before_consent: null, hosts: null },
  ],
  [
    'an agreed tag without consent',
    seen(request('www.google-analytics.com', { topic: 'googleanalytics', verdict: 'violation' })),
    [['too_early', 'googleanalytics', null]],
  ],
  [
    'one after refusal',
    seen(
      request('www.google-analytics.com', {
        phase: 'refused',
        topic: 'googleanalytics',
        verdict: 'violation',
      }),
    ),
    [['too_early', 'googleanalytics', null]],
  ],
  [
    'one that says that consent is denied',
    seen(request('www.google-analytics.com', { topic: 'googleanalytics', verdict: 'denied' })),
    [],
  ],
  [
    'one that says so and needs no consent by the policy',
    seen(request('www.google-analytics.com', { topic: 'googleanalytics', verdict: 'none', is_denied: true })),
    [],
  ],
  [
    'an agreed host without consent',
    seen(request('cdn.example.com')),
    [['too_early', 'cdn.example.com', null]],
  ],
  [
    'an agreed tag without consent from the own domain',
    seen(
      request('stats.hotel.test', {
        topic: 'googleanalytics',
        ids: ['G-AAAA111'],
        category: 'analytics',
        verdict: 'violation',
      }),
    ),
    [['too_early', 'googleanalytics', null]],
  ],
  [
    'a name of the own domain that hides a service',
    seen(
      request('t.hotel.test', { ...accepted, entity: 'Adobe', category: 'analytics', alias: 'x.omtrdc.net' }),
    ),
    [['unexpected', 't.hotel.test', null]],
  ],
  [
    'a name of the own domain that hides a service without consent',
    seen(request('t.hotel.test', { entity: 'Adobe', category: 'analytics', alias: 'x.omtrdc.net' })),
    [['too_early', 't.hotel.test', null]],
    { ...agreed, hosts: null },
  ],
  [
    'a tool that the web serves itself',
    seen(request('www.hotel.test', { topic: 'referrerjs', entity: 'referrer.js', category: 'utility' })),
    [],
  ],
  [
    'a tag without consent from a host that may load other things then',
    seen(
      request('fonts.example.com', { topic: 'googleanalytics', ids: ['G-AAAA111'], verdict: 'violation' }),
    ),
    [['too_early', 'googleanalytics', null]],
  ],
  [
    'a tool without consent from a host that may load without it',
    seen(request('fonts.example.com', { topic: 'referrerjs' })),
    [],
  ],
  [
    'a host that nobody has agreed on, once',
    seen(request('evil.test', accepted), request('evil.test', { ...accepted, topic: 'polyfillio' })),
    [['unexpected', 'evil.test', null]],
  ],
  [
    'the name that a wildcard begins below',
    seen(request('widgets.test', accepted)),
    [['unexpected', 'widgets.test', null]],
  ],
]

describe('judge', () => {
  it.each(cases)('%s', (_, audit, expected, contract) => {
    expect(briefly(judgeAudit(audit, contract))).toEqual(expected)
  })

  it('says what was expected and found, with evidence', () => {
    expect(judgeAudit({ findings: [tool, gtm, other], visit: visit([]) })).toEqual([
      {
        kind: 'wrong_id',
        subject: 'googleanalytics',
        value: 'G-BBBB222',
        expected: ['G-AAAA111'],
        found: ['G-BBBB222'],
        evidence: other.evidence[0],
      },
    ])
  })

  it('says in a sentence what differs', () => {
    const tool = { accepted: { manager: 'Cookiebot', way: 'call' } } as const
    const sentencesOf = (audit: Partial<AuditResult>, contract?: ContractSettings) =>
      judgeAudit(audit, contract).map((difference) => englishText(describeDifference(difference)))
    const otherTool = { findings: [gtm, analytics], visit: visit(kept.visit?.asked ?? [], tool) }
    expect(sentencesOf(otherTool)).toEqual(['The consent tool is Cookiebot instead of Usercentrics'])
    expect(
      sentencesOf(otherTool, { ...agreed, consent_tool: '', before_consent: null, hosts: null }),
    ).toEqual(['The consent tool is not agreed (found: Cookiebot)'])
    expect(sentencesOf(seen(request('x.test', accepted)))).toEqual(['x.test is loaded, but not agreed'])
    expect(sentencesOf({ findings: [...kept.findings, pixel] })).toEqual([
      'Facebook Ads is not agreed (found: 123456789012345)',
    ])
  })

  it('says at once of a host that nobody has agreed on that it is loaded, and that this is early', () => {
    const audit = seen(request('evil.test'), request('evil.test', { phase: 'refused' }))
    const differences = judgeAudit(audit)
    expect(briefly(differences)).toEqual([
      ['unexpected', 'evil.test', null],
      ['too_early', 'evil.test', null],
    ])
    // So nothing else differs once the host is agreed on.
    const [unexpected, early] = differences
    if (!unexpected || !early) throw new Error('There is no difference')
    const after = { ...agreed, ...agreeTo(unexpected, agreed) }
    expect(judgeAudit(audit, after)).toEqual([early])
    expect(judgeAudit(audit, { ...agreed, ...agreeTo(early, agreed) })).toEqual([])
  })

  it('has nothing against the hosts of a consent tool that is agreed on', () => {
    const audit = cookiebot('abc')
    const other = { ...agreed, gtm: null, googleanalytics: null }
    const [found, ...hosts] = judgeAudit(audit, other)
    expect(briefly(found ? [found] : [])).toEqual([['unexpected', 'consent_tool', 'Cookiebot']])
    expect(briefly(hosts)).toEqual([
      ['unexpected', 'consent.cookiebot.com', null],
      ['too_early', 'consent.cookiebot.com', null],
    ])
    const after = { ...other, ...(found && agreeTo(found, other)) }
    expect(judgeAudit(audit, after)).toEqual([])
    // Also if the banner was not found this time.
    const unseen = { ...audit, visit: { ...audit.visit, accepted: null, refused: null }, isComplete: false }
    expect(judgeAudit(unseen, after)).toEqual([])
  })

  it('leaves out what is allowed, until its time', () => {
    const findings = [...kept.findings, pixel]
    const allow = (until: string) =>
      judgeAudit({ findings }, agreed, [{ key: 'found facebookads', until: new Date(until), replaces: [] }])
    expect(allow('2026-11-20T10:00:01Z')).toEqual([])
    expect(allow('2026-11-20T10:00:00Z')).toHaveLength(1)
  })

  describe('of a tag of two ids', () => {
    const both = { ...agreed, googleanalytics: ['G-AAAA111', 'G-DDDD444'] }
    const onlyFirst = { findings: [tool, gtm, analytics, other], visit: visit([]) }
    const [key, id] = ['found googleanalytics G-BBBB222', 'G-BBBB222']
    const lost = ['missing', 'googleanalytics', 'G-DDDD444']
    const until = new Date(now.getTime() + 1)
    const judgeOnlyFirst = (kind: 'unexpected' | 'wrong_id', expected: readonly string[]) => {
      const observation = observe({ ...kept, ...onlyFirst })
      return briefly(judge(observation, both, [], now, [{ key, kind, expected, confirmed_at: now }]))
    }

    it('misses one beside another that is allowed, unless it was allowed instead of it', () => {
      const allow = (...replaces: string[]) =>
        briefly(judgeAudit(onlyFirst, both, [{ key, until, replaces }]))
      expect(allow()).toEqual([lost])
      expect(allow('G-AAAA111')).toEqual([lost])
      expect(allow('G-DDDD444')).toEqual([])
    })

    it('misses one beside another that is confirmed, unless that was told to be instead of it', () => {
      expect(judgeOnlyFirst('unexpected', both.googleanalytics)).toEqual([
        ['unexpected', 'googleanalytics', id],
        lost,
      ])
      expect(judgeOnlyFirst('wrong_id', ['G-AAAA111'])).toEqual([['unexpected', 'googleanalytics', id], lost])
      expect(judgeOnlyFirst('wrong_id', ['G-DDDD444'])).toEqual([['wrong_id', 'googleanalytics', id]])
    })

    it('tells of those that are missing with another one that is new', () => {
      const none = { findings: [tool, gtm, other], visit: visit([]) }
      expect(judgeAudit(none, both)).toMatchObject([{ kind: 'wrong_id', expected: both.googleanalytics }])
    })
  })

  it('names the same id alike, whether another one is missing or not', () => {
    const [replaced] = judgeAudit({ findings: [tool, gtm, other], visit: visit([]) })
    const [added] = judgeAudit({ findings: [tool, gtm, analytics, other] })
    expect(replaced && added && keyOf(replaced) === keyOf(added)).toBe(true)
  })

  it.each(cases.filter(([, , expected]) => (expected as unknown[]).length > 0))(
    'has nothing against %s once it is agreed on',
    (_, audit, __, contract = agreed) => {
      const [difference] = judgeAudit(audit, contract)
      if (difference === undefined) throw new Error('There is no difference')
      const changed = { ...contract, ...agreeTo(difference, contract) }
      expect(judgeAudit(audit, changed)).toEqual([])
      // The difference itself says so, whatever an audit shows of it.
      const until = new Date(now.getTime() + 1)
      const allowed = [{ key: keyOf(difference), until, replaces: [] }]
      expect([
        isAgreed(difference, contract, [], now),
        isAgreed(difference, changed, [], now),
        isAgreed(difference, contract, allowed, now),
      ]).toEqual([false, true, true])
    },
  )
})
