import { type ContractSettings, noContractSettings } from '@kustos/contract/tracking-contracts/states'
import { describe, expect, it } from 'vitest'
import { type DifferenceRow, followDrift } from '../../../src/tracking-contracts/follow-drift.ts'
import { type Difference, judge, keyOf } from '../../../src/tracking-contracts/judge.ts'
import { observe } from '../../../src/tracking-contracts/observe.ts'
import { finding, request, visit } from '../../tracking-contracts/audits.ts'

const hourMs = 3_600_000
const at = new Date('2026-11-20T10:00:00Z')
const contract = { ...noContractSettings, gtm: ['GTM-AAAA111'] }
const gtm = finding('gtm', 'GTM-AAAA111')
const pixel = finding('facebookads', '123456789012345')

const observed = (
  findings: Parameters<typeof observe>[0]['findings'],
  isComplete = true,
  seen: Parameters<typeof observe>[0]['visit'] = null,
) => observe({ host: 'a.test', findings, visit: seen, isComplete })

/** What an audit, the second one unless something else is said, changes in the stored differences. */
function follow(
  open: readonly DifferenceRow[],
  observation: ReturnType<typeof observed>,
  audit: { readonly id: number; readonly at: Date } = { id: 2, at },
  agreed: ContractSettings = contract,
) {
  const changes = followDrift(open, judge(observation, agreed, [], at), observation, agreed, audit)
  return {
    added: changes.added.map(keyOf),
    confirmed: [...changes.confirmed],
    unseen: changes.unseen.map(({ id }) => id),
    ended: changes.ended.map(({ id }) => id),
    dropped: changes.dropped.map(({ id }) => id),
    needsRecheck: changes.needsRecheck,
  }
}

const row = (
  difference: Pick<Difference, 'kind' | 'subject' | 'value'>,
  more: Partial<DifferenceRow> = {},
): DifferenceRow => ({
  id: 7,
  web_id: 1,
  key: keyOf(difference),
  ...difference,
  expected: [],
  found: [],
  reason: null,
  reason_code: null,
  reason_params: null,
  evidence: null,
  preceded_by: null,
  first_seen_at: new Date(at.getTime() - hourMs),
  first_audit_id: 1,
  last_seen_at: new Date(at.getTime() - hourMs),
  confirmed_at: null,
  unseen_at: null,
  ended_at: null,
  alerted_at: null,
  end_alerted_at: null,
  replaces_channels: false,
  channel_ids: [],
  user_ids: [],
  ...more,
})
const unexpected = { kind: 'unexpected', subject: 'facebookads', value: null } as const
const missing = { kind: 'missing', subject: 'gtm', value: 'GTM-AAAA111' } as const
const confirmed = { confirmed_at: new Date(at.getTime() - hourMs) }
const nothing = { added: [], confirmed: [], unseen: [], ended: [], dropped: [], needsRecheck: false }

describe('followDrift', () => {
  it('stores what is new, and asks for another audit', () => {
    expect(follow([], observed([gtm, pixel]))).toEqual({
      ...nothing,
      added: ['found facebookads'],
      needsRecheck: true,
    })
  })

  it('confirms what a second audit shows, also an incomplete one', () => {
    for (const isComplete of [true, false])
      expect(follow([row(unexpected)], observed([gtm, pixel], isComplete))).toEqual({
        ...nothing,
        confirmed: [7],
      })
  })

  it('confirms nothing by the same audit', () => {
    expect(follow([row(unexpected, { first_audit_id: 2 })], observed([gtm, pixel]))).toEqual({
      ...nothing,
      needsRecheck: true,
    })
  })

  it('forgets what the second audit does not show', () => {
    expect(follow([row(unexpected)], observed([gtm]))).toEqual({ ...nothing, dropped: [7] })
  })

  it('learns nothing from what an incomplete audit does not show', () => {
    expect(follow([row(unexpected)], observed([gtm], false))).toEqual({ ...nothing, needsRecheck: true })
    expect(follow([row(missing)], observed([], false))).toEqual({ ...nothing, needsRecheck: true })
    expect(follow([row(unexpected, confirmed)], observed([gtm], false))).toEqual(nothing)
  })

  it('forgets a missing tag that an incomplete audit has found', () => {
    expect(follow([row(missing)], observed([gtm], false))).toEqual({ ...nothing, dropped: [7] })
  })

  it('ends what two complete audits do not show', () => {
    expect(follow([row(unexpected, confirmed)], observed([gtm]))).toEqual({
      ...nothing,
      unseen: [7],
      needsRecheck: true,
    })
    const unseen = { ...confirmed, unseen_at: new Date(at.getTime() - hourMs) }
    expect(follow([row(unexpected, unseen)], observed([gtm]))).toEqual({ ...nothing, ended: [7] })
    expect(follow([row(unexpected, unseen)], observed([gtm], false))).toEqual({
      ...nothing,
      needsRecheck: true,
    })
    expect(follow([row(unexpected, unseen)], observed([gtm, pixel]))).toEqual(nothing)
  })

  it('does not end what one audit has not shown if that is judged again', () => {
    expect(follow([row(unexpected, { ...confirmed, unseen_at: at })], observed([gtm]))).toEqual({
      ...nothing,
      needsRecheck: true,
    })
  })

  it('learns nothing of a phase that did not come about, also from a complete audit', () => {
    const host = { kind: 'unexpected', subject: 'late.test', value: null } as const
    const { asked } = visit([request('app.usercentrics.eu')])
    for (const phase of ['refused', 'accepted', 'withdrawn'] as const) {
      const evidence = { source: 'request', url: '', excerpt: '', gated: false, phase } as const
      const old = row(host, { ...confirmed, evidence })
      const open = [old, row(host, { evidence, id: 8, key: 'found other.test' })]
      const collected = ['before', 'refused', 'accepted', 'withdrawn'] as const
      const others = visit(asked, { collected: collected.filter((one) => one !== phase) })
      expect(follow(open, observed([gtm], true, others))).toEqual({ ...nothing, needsRecheck: true })
      const whole = observed([gtm], true, visit(asked, { collected: [...collected] }))
      expect(follow(open, whole)).toMatchObject({ unseen: [7], dropped: [8] })
      // It goes like what incomplete audits have not shown for days.
      const outdated = { ...old, last_seen_at: new Date(at.getTime() - 60 * hourMs) }
      expect(follow([outdated], observed([gtm], true, others))).toMatchObject({ unseen: [7] })
    }
  })

  it('does not take a visit of an older release for one that came to a choice that it has not made', () => {
    const evidence = { source: 'request', url: '', excerpt: '', gated: true, phase: 'accepted' } as const
    const late = row({ kind: 'unexpected', subject: 'late.test', value: null }, { ...confirmed, evidence })
    const followOld = (more: Parameters<typeof visit>[1]) =>
      follow([late], observed([gtm], true, visit([], more)))
    expect(followOld({})).toMatchObject({ unseen: [7] })
    expect(followOld({ accepted: null })).toEqual(nothing)
  })

  it('does not find what is missing if consent could not be given', () => {
    const agreed = { ...contract, consent_tool: 'Usercentrics' }
    const tool = finding('usercentrics', 'abc')
    const followVisit = (findings: Parameters<typeof observed>[0], more: Parameters<typeof visit>[1]) =>
      follow([row(missing, confirmed)], observed(findings, true, visit([], more)), undefined, agreed)
    expect(followVisit([tool], { accepted: null })).toEqual(nothing)
    expect(followVisit([tool, gtm], { accepted: null })).toMatchObject({ unseen: [7] })
    // Another tag may have taken its place.
    const unknown = finding('gtm', null)
    expect(followVisit([tool, unknown], { accepted: null })).toEqual(nothing)
    expect(followVisit([tool, unknown], {})).toMatchObject({ unseen: [7] })
  })

  it('ends what incomplete audits have not shown for days', () => {
    const old = { ...confirmed, last_seen_at: new Date(at.getTime() - 60 * hourMs) }
    expect(follow([row(unexpected, old)], observed([gtm], false))).toMatchObject({ unseen: [7] })
    expect(
      follow(
        [row(unexpected, { ...old, unseen_at: new Date(at.getTime() - hourMs) })],
        observed([gtm], false),
      ),
    ).toMatchObject({ ended: [7] })
  })

  it('does not end what is missing by incomplete audits, unless one has found it', () => {
    const old = { ...confirmed, last_seen_at: new Date(at.getTime() - 60 * hourMs) }
    expect(follow([row(missing, old)], observed([], false))).toEqual(nothing)
    expect(follow([row(missing, old)], observed([gtm], false))).toMatchObject({ unseen: [7] })
    expect(follow([row(missing, { last_seen_at: old.last_seen_at })], observed([], false))).toEqual({
      ...nothing,
      dropped: [7],
    })
  })
})
