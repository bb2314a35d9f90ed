import { noContractSettings } from '@kustos/contract/tracking-contracts/states'
import { describe, expect, it } from 'vitest'
import { type DifferenceRow, followDrift } from '../../../src/tracking-contracts/follow-drift.ts'
import { type Difference, judge, keyOf } from '../../../src/tracking-contracts/judge.ts'
import { observe } from '../../../src/tracking-contracts/observe.ts'
import { finding } from '../../tracking-contracts/audits.ts'

const hourMs = 3_600_000
const at = new Date('2026-11-20T10:00:00Z')
const contract = { ...noContractSettings, gtm: ['GTM-AAAA111'] }
const gtm = finding('gtm', 'GTM-AAAA111')
const pixel = finding('facebookads', '123456789012345')

const observed = (findings: Parameters<typeof observe>[0]['findings'], isComplete = true) =>
  observe({ host: 'a.test', findings, visit: null, isComplete })

/** What an audit, the second one unless something else is said, changes in the stored differences. */
function follow(
  open: readonly DifferenceRow[],
  observation: ReturnType<typeof observed>,
  audit: { readonly id: number; readonly at: Date } = { id: 2, at },
) {
  const changes = followDrift(open, judge(observation, contract, [], at), observation, audit)
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
