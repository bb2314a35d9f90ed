import type { Finding, RequestedHost } from '@kustos/contract/tracking'
import {
  type ContractSettings,
  contractFields,
  maxContractHosts,
} from '@kustos/contract/tracking-contracts/states'
import { expect, it } from 'vitest'
import { draftContract } from '../../../src/tracking-contracts/draft.ts'
import { judge } from '../../../src/tracking-contracts/judge.ts'
import { hasAgreements, mergeSettings } from '../../../src/tracking-contracts/load.ts'
import { observe } from '../../../src/tracking-contracts/observe.ts'
import { finding, request, visit } from '../../tracking-contracts/audits.ts'

const web = (web_id: number, findings: readonly Finding[], asked: readonly RequestedHost[] = []) => ({
  web_id,
  fqdn: `web${web_id}.test`,
  observation: observe({ host: `web${web_id}.test`, findings, visit: visit(asked), isComplete: true }),
})
const tool = finding('usercentrics', 'abc', { version: 3 })
const analytics = (id: string) => finding('googleanalytics', id)
const early = { topic: 'facebookads', verdict: 'violation' } as const

it('drafts a contract that all webs keep, apart from what is loaded without consent', () => {
  const webs = [
    web(1, [tool, analytics('G-AAAA111')], [request('cdn.test'), request('www.facebook.com', early)]),
    web(2, [tool, analytics('G-AAAA111')], [request('maps.test', { phase: 'accepted' })]),
    web(3, [finding('usercentrics', 'xyz', { version: 3 }), analytics('G-BBBB222')]),
  ]
  const draft = draftContract(webs)
  expect(draft.settings).toMatchObject({
    consent_tool: 'Usercentrics',
    consent_tool_id: 'abc',
    consent_tool_version: '3',
    googleanalytics: ['G-AAAA111'],
    gtm: [],
    before_consent: ['cdn.test'],
    hosts: ['cdn.test', 'maps.test'],
  })
  expect(draft.overrides.map(({ web_id, settings }) => [web_id, set(settings)])).toEqual([
    [1, { facebookads: ['*'] }],
    [3, { consent_tool_id: 'xyz', googleanalytics: ['G-BBBB222'] }],
  ])
  expect(draft.left_out).toEqual([{ topic: 'facebookads', webs: 1 }])
  const differences = webs.map(({ web_id, observation }) => {
    const own = draft.overrides.find((override) => override.web_id === web_id)
    const contract = mergeSettings(set(own?.settings), set(draft.settings))
    return judge(observation, contract, [], new Date(0)).map(({ kind, subject }) => `${kind} ${subject}`)
  })
  expect(differences).toEqual([['too_early facebookads'], [], []])
})

it('leaves out what the own domain requests without consent', () => {
  const tagging = request('sst.web1.test', { topic: 'googleanalytics', verdict: 'violation' })
  const alias = request('t.web1.test', { category: 'session_replay', alias: 'x.hotjar.com' })
  const { settings, left_out } = draftContract([web(1, [tool], [tagging, alias, request('www.web1.test')])])
  expect(settings).toMatchObject({ before_consent: ['t.web1.test'], hosts: ['t.web1.test'] })
  expect(left_out).toEqual([{ topic: 'googleanalytics', webs: 1 }])
})

it('names other services without consent, and hosts of which nothing is known', () => {
  const violation = { verdict: 'violation' } as const
  const hotjar = { ...violation, entity: 'Hotjar' }
  const webs = [
    web(1, [tool], [request('static.hotjar.com', hotjar), request('script.hotjar.com', hotjar)]),
    web(2, [tool], [request('static.hotjar.com', hotjar), request('pixel.test', violation)]),
  ]
  expect(draftContract(webs).left_out).toEqual([
    { topic: 'Hotjar', webs: 2 },
    { topic: 'pixel.test', webs: 1 },
  ])
})

it('names what it allows although it is to be reviewed', () => {
  const review = { verdict: 'review', entity: 'Polyfill.io' } as const
  const webs = [
    web(
      1,
      [tool],
      [request('polyfill.io', review), request('polyfill.io', { ...review, phase: 'accepted' })],
    ),
  ]
  const { settings, left_out, to_review } = draftContract(webs)
  expect(settings.before_consent).toEqual(['polyfill.io'])
  expect({ left_out, to_review }).toEqual({ left_out: [], to_review: [{ topic: 'Polyfill.io', webs: 1 }] })
})

it('leaves to single webs what is too much for the contract of their customer', () => {
  const asked = (id: number) => [
    request('cdn.test', { phase: 'accepted' }),
    ...Array.from({ length: 99 }, (_, index) => request(`h${index}.of${id}.test`, { phase: 'accepted' })),
  ]
  const ids = Array.from({ length: 30 }, (_, index) => index)
  const { settings, overrides } = draftContract(ids.map((id) => web(id, [tool], asked(id))))
  expect(settings.hosts).toHaveLength(maxContractHosts)
  expect(settings.hosts).toContain('cdn.test')
  const all = ids.flatMap((id) => asked(id).map(({ host }) => host))
  const drafted = overrides.flatMap((one) => one.settings.hosts ?? [])
  expect(new Set([...(settings.hosts ?? []), ...drafted])).toEqual(new Set(all))
  expect(drafted).toHaveLength(new Set(all).size - maxContractHosts)
  expect(overrides.map((one) => Object.keys(set(one.settings)))).toEqual(overrides.map(() => ['hosts']))
  expect(overrides.length).toBeLessThan(ids.length)
})

it('agrees on nothing without audits', () => {
  expect(hasAgreements(draftContract([]).settings)).toBe(false)
})

it('says nothing of requests that no browser has seen', () => {
  const observation = observe({ host: 'a.test', findings: [tool], visit: null, isComplete: true })
  const { settings } = draftContract([{ web_id: 1, fqdn: 'a.test', observation }])
  expect(settings).toMatchObject({ consent_tool: 'Usercentrics', gtm: [], before_consent: null, hosts: null })
})

const set = (settings: ContractSettings | undefined) =>
  Object.fromEntries(
    contractFields.flatMap((field) => (settings?.[field] == null ? [] : [[field, settings[field]]])),
  )
