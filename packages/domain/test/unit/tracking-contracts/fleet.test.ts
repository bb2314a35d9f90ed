import { expect, it } from 'vitest'
import { type DifferenceRow, followDrift } from '../../../src/tracking-contracts/follow-drift.ts'
import { type Difference, judge, keyOf } from '../../../src/tracking-contracts/judge.ts'
import { toSettings } from '../../../src/tracking-contracts/load.ts'
import { observe } from '../../../src/tracking-contracts/observe.ts'
import { allowedKey, contractOf, type Site } from '../../tracking-contracts/drifting-sites.ts'
import { createFleet } from '../../tracking-contracts/flaky-fleet.ts'

const dayMs = 86_400_000
const recheckMs = 10 * 60_000
/** As many as are requested for one difference. */
const maxRechecks = 3
const start = Date.parse('2026-11-01T02:00:00Z')

const allowed = [{ key: allowedKey, until: new Date(start + 365 * dayMs), replaces: [] }]

/** The differences of all webs, followed as `applyDrift` does it in the database. */
function createFollower() {
  const rows = new Map<number, DifferenceRow[]>()
  let lastId = 0

  const toRow = (
    web_id: number,
    { evidence, ...difference }: Difference,
    audit: { id: number; at: Date },
  ) => ({
    id: ++lastId,
    web_id,
    key: keyOf(difference),
    ...difference,
    expected: [...difference.expected],
    found: [...difference.found],
    reason: null,
    reason_code: null,
    reason_params: null,
    evidence,
    preceded_by: null,
    first_seen_at: audit.at,
    first_audit_id: audit.id,
    last_seen_at: audit.at,
    confirmed_at: null,
    unseen_at: null,
    ended_at: null,
    alerted_at: null,
    end_alerted_at: null,
    replaces_channels: false,
    channel_ids: [],
    user_ids: [],
  })

  return {
    all: () => [...rows.values()].flat(),
    /** @returns whether another audit has to confirm something */
    follow(
      site: Site,
      page: ReturnType<ReturnType<typeof createFleet>['nextAudit']>,
      audit: { id: number; at: Date },
    ) {
      if (page.outcome === 'failed') return null
      const known = rows.get(site.web) ?? []
      const observation = observe({
        host: site.host,
        findings: page.findings,
        visit: page.visit,
        isComplete: page.complete,
      })
      const open = known.filter(({ ended_at }) => ended_at === null)
      const contract = toSettings(contractOf(site))
      const differences = judge(observation, contract, allowed, audit.at, open)
      const changes = followDrift(open, differences, observation, contract, audit)
      const isIn = (list: readonly DifferenceRow[], row: DifferenceRow) =>
        list.some(({ id }) => id === row.id)
      const kept = known
        .filter((row) => !isIn(changes.dropped, row))
        .map((row): DifferenceRow => {
          if (isIn(changes.ended, row)) return { ...row, ended_at: audit.at }
          if (isIn(changes.unseen, row)) return { ...row, unseen_at: audit.at }
          if (!changes.seen.some((seen) => seen.row.id === row.id)) return row
          const confirmed_at = changes.confirmed.has(row.id) ? audit.at : row.confirmed_at
          return { ...row, last_seen_at: audit.at, unseen_at: null, confirmed_at }
        })
      rows.set(site.web, [...kept, ...changes.added.map((one) => toRow(site.web, one, audit))])
      return changes.needsRecheck
    },
  }
}

it('finds 60 drifts of 300 customers in 30 days by the second audit that shows them, and nothing else', () => {
  const webs = Array.from({ length: 300 }, (_, index) => ({ id: index + 1, host: `web${index + 1}.test` }))
  const fleet = createFleet(webs, { drifts: 60, days: 30 })
  const follower = createFollower()
  for (let day = 0; day < 30; day++)
    for (const site of fleet.sites) {
      let needsRecheck = false
      for (let attempt = 0; attempt === 0 || (needsRecheck && attempt <= maxRechecks); attempt++) {
        const at = new Date(start + day * dayMs + attempt * recheckMs)
        const audit = { id: fleet.counts.audits + 1, at }
        needsRecheck = follower.follow(site, fleet.nextAudit(site, day, at), audit) ?? needsRecheck
      }
    }
  const confirmed = follower.all().filter(({ confirmed_at }) => confirmed_at !== null)
  const byDrift = new Map(confirmed.map((row) => [`${row.web_id} ${row.key}`, row]))
  const repaired = fleet.seeded.filter(({ until }) => until !== null)

  expect([...byDrift.keys()].sort()).toEqual([...fleet.expected.keys()].sort())
  expect(confirmed).toHaveLength(60)
  for (const [key, { shown, kind, until }] of fleet.expected) {
    const row = byDrift.get(key)
    expect([key, row?.confirmed_at]).toEqual([key, shown[1]])
    expect([key, row?.evidence === null]).toEqual([key, kind.startsWith('missing')])
    expect([key, row?.ended_at === null]).toEqual([key, until === null])
  }
  // The fleet is as flaky as it should be.
  const { audits, failed, partial, remarked, guests, returned } = fleet.counts
  const enough = [audits > 9_000, failed > 400, partial > 800, remarked > 1_000, guests > 200]
  expect([...enough, returned > 50, repaired.length > 10]).toEqual(Array.from({ length: 7 }, () => true))
})
