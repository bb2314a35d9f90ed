import type { ConsentPhase, RequestedHost } from '@kustos/contract/tracking'
import type { ContractSettings } from '@kustos/contract/tracking-contracts/states'
import type { StoredContract } from '@kustos/database/tables'
import type { PageAudit } from '../../src/tracking/audit-page.ts'
import { keyOf } from '../../src/tracking-contracts/judge.ts'
import { finding, pageAudit, request, visit } from './audits.ts'

export interface Site {
  readonly web: number
  readonly host: string
  readonly index: number
  /** remarked: each audit leaves out what hides no tracking; incomplete: each one leaves out what may hide some. */
  readonly coverage: 'complete' | 'remarked' | 'incomplete'
  /** Whether each audit sees a host that no other one sees. */
  readonly rotates: boolean
  /** When services, by their place in `guests`, were last there; long ago once a complete audit has shown that they are gone. */
  readonly seenGuests: Map<number, number>
}

type Kind = keyof typeof drifts

export interface Drift {
  readonly site: Site
  readonly kind: Kind
  readonly from: number
  /** The day on which it is repaired; null if it never is. */
  readonly until: number | null
  /** The one that preceded it, if there was one. */
  deployment: number | null
  /** The times of audits that show it. */
  readonly shown: Date[]
}

const allowedId = '3000000000'
/** What is allowed beside the agreed ids, at all sites. */
export const allowedKey = keyOf({ kind: 'unexpected', subject: 'facebookads', value: allowedId })

/** An audit of a site that keeps its contract. */
export function healthy({ index, host }: Site): PageAudit {
  const accepted: { phase: ConsentPhase } = { phase: 'accepted' }
  return pageAudit(
    [
      finding('usercentrics', `settings${index}`, { version: 3 }),
      finding('gtm', `GTM-WEB${index}`),
      finding('googleanalytics', `G-WEB${index}`),
      finding('facebookads', `1000000000${index}`),
      finding('facebookads', `2000000000${index}`),
      finding('facebookads', allowedId),
    ],
    {
      visit: visit([
        request('app.usercentrics.eu', { topic: 'usercentrics' }),
        request('www.googletagmanager.com', { topic: 'gtm', ids: [`GTM-WEB${index}`] }),
        request('cdn.example.com'),
        request(`media.${host}`),
        request(`sst.${host}`, { ...accepted, topic: 'googleanalytics', ids: [`G-WEB${index}`] }),
        request('maps.example.com', accepted),
        request('region1.google-analytics.com', {
          ...accepted,
          topic: 'googleanalytics',
          ids: [`G-WEB${index}`],
        }),
      ]),
    },
  )
}

export const contractOf = ({ index }: Site): StoredContract => {
  const settings = {
    consent_tool: 'Usercentrics',
    consent_tool_id: `settings${index}`,
    consent_tool_version: '3',
    gtm: [`GTM-WEB${index}`],
    googleanalytics: [`G-WEB${index}`],
    facebookads: [`1000000000${index}`, `2000000000${index}`],
    before_consent: ['gtm', 'cdn.example.com'],
    hosts: ['cdn.example.com', 'maps.example.com'],
  } satisfies Partial<ContractSettings>
  return settings
}

export const withRequest = (audit: PageAudit, more: RequestedHost): PageAudit => ({
  ...audit,
  visit: audit.visit && { ...audit.visit, asked: [...audit.visit.asked, more] },
})
const without = (audit: PageAudit, topic: string): PageAudit => ({
  ...audit,
  findings: audit.findings.filter((one) => one.topic !== topic),
  visit: audit.visit && { ...audit.visit, asked: audit.visit.asked.filter((one) => one.topic !== topic) },
})
const withFinding = (audit: PageAudit, ...more: PageAudit['findings'][number][]): PageAudit => ({
  ...audit,
  findings: [...audit.findings, ...more],
})

/** What drifts do to a site's audits, and the differences that they are. */
export const drifts = {
  missing: {
    apply: (audit: PageAudit) => without(audit, 'googleanalytics'),
    key: (index: number) => keyOf({ kind: 'missing', subject: 'googleanalytics', value: `G-WEB${index}` }),
  },
  missing_beside_allowed: {
    apply: (audit: PageAudit) => ({
      ...audit,
      findings: audit.findings.filter(({ value }) => value?.startsWith('2000000000') !== true),
    }),
    key: (index: number) => keyOf({ kind: 'missing', subject: 'facebookads', value: `2000000000${index}` }),
  },
  wrong_id: {
    apply: (audit: PageAudit) => withFinding(without(audit, 'gtm'), finding('gtm', 'GTM-OTHER')),
    key: () => keyOf({ kind: 'wrong_id', subject: 'gtm', value: 'GTM-OTHER' }),
  },
  unexpected_tag: {
    apply: (audit: PageAudit) => withFinding(audit, finding('linkedinads', '4711')),
    key: () => keyOf({ kind: 'unexpected', subject: 'linkedinads', value: null }),
  },
  unexpected_host: {
    apply: (audit: PageAudit) => withRequest(audit, request('tracker.test', { phase: 'accepted' })),
    key: () => keyOf({ kind: 'unexpected', subject: 'tracker.test', value: null }),
  },
  wrong_version: {
    apply: (audit: PageAudit) =>
      withFinding(
        without(audit, 'usercentrics'),
        ...audit.findings.flatMap((one) => (one.topic === 'usercentrics' ? { ...one, version: 2 } : [])),
      ),
    key: () => keyOf({ kind: 'wrong_version', subject: 'consent_tool_version', value: '2' }),
  },
  too_early: {
    apply: (audit: PageAudit) =>
      withRequest(audit, request('www.facebook.com', { topic: 'facebookads', verdict: 'violation' })),
    key: () => keyOf({ kind: 'too_early', subject: 'facebookads', value: null }),
  },
  own_host_too_early: {
    apply: (audit: PageAudit, host: string) =>
      withRequest(audit, request(`sst.${host}`, { topic: 'googleanalytics', verdict: 'violation' })),
    key: () => keyOf({ kind: 'too_early', subject: 'googleanalytics', value: null }),
  },
} as const satisfies Readonly<
  Record<string, { apply: (audit: PageAudit, host: string) => PageAudit; key: (index: number) => string }>
>
export const kinds = Object.keys(drifts) as Kind[]

/** What a flaky site shows in one audit and not in the next. */
export const guests: readonly ((audit: PageAudit) => PageAudit)[] = [
  (audit) => withFinding(audit, finding('tiktokads', 'C0FFEE')),
  (audit) => without(audit, 'facebookads'),
  (audit) => withRequest(audit, request('campaign.test', { phase: 'accepted' })),
  (audit) => withRequest(audit, request('maps.example.com')),
]

/** Whether an audit can show it: what is missing only a complete one. */
export const isShown = ({ kind, site }: Drift, { complete, findings, visit: seen }: PageAudit): boolean => {
  if (complete) return true
  const has = (topic: string, value?: string) =>
    findings.some((one) => one.topic === topic && (value === undefined || one.value === value))
  switch (kind) {
    case 'missing':
    case 'missing_beside_allowed':
      return false
    case 'wrong_id':
      return has('gtm', 'GTM-OTHER')
    case 'unexpected_tag':
      return has('linkedinads')
    case 'wrong_version':
      return has('usercentrics', `settings${site.index}`)
    default:
      return seen !== null
  }
}
