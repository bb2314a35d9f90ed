import type { PageAudit } from '../../src/tracking/audit-page.ts'
import { pageAudit, request } from './audits.ts'
import {
  type Drift,
  drifts,
  guests,
  healthy,
  isShown,
  kinds,
  type Site,
  withRequest,
} from './drifting-sites.ts'

/** Of every ten sites. Those that are always incomplete or rotate are none that drift: an id that is missing there is never shown. */
const remarked: readonly number[] = [5, 6]
const [incomplete, rotating] = [7, 9]
/** Longer than a difference stays that no audit shows any more. */
const forgottenDays = 4

/** Until a drift is repaired, and for its end to be confirmed. */
const [repairDays, endDays] = [4, 3]

export interface FleetOptions {
  readonly drifts: number
  readonly days: number
}

/** Numbers from 0 to 1 that are the same in each run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

/** Each kind alike, spread over the days; a third is repaired after some days. */
function seedDrifts(sites: readonly Site[], { drifts: count, days }: FleetOptions): readonly Drift[] {
  const step = Math.floor(sites.length / count)
  // The last days are left for those that no audit has shown twice yet.
  const lastDay = Math.max(1, days - 6)
  return Array.from({ length: count }).flatMap((_, number) => {
    const site = sites[number * step]
    if (site === undefined) return []
    const from = 1 + (number % lastDay)
    const isRepaired = number % 3 === 0 && from + repairDays < days - endDays
    return {
      site,
      kind: kinds[number % kinds.length] ?? 'missing',
      from,
      until: isRepaired ? from + repairDays : null,
      deployment: null,
      shown: [],
    }
  })
}

/** What two audits in succession show is no guest: one returns after an audit that had shown it, or much later. */
const isGone = ({ seenGuests }: Site, guest: number, day: number): boolean =>
  day - (seenGuests.get(guest) ?? Number.NEGATIVE_INFINITY) > forgottenDays

/** The same page after the policy was changed: what is allowed to load early needs consent by it. */
const byNewPolicy = (page: PageAudit): PageAudit => ({
  ...page,
  visit: page.visit && {
    ...page.visit,
    asked: page.visit.asked.map((one) => (one.phase === 'before' ? { ...one, verdict: 'violation' } : one)),
  },
})

/** Sites of which some drift from their contract, while a part of all audits fails, is incomplete or shows what comes and goes. */
export function createFleet(
  webs: readonly { readonly id: number; readonly host: string }[],
  options: FleetOptions,
) {
  const random = createRandom(webs.length * 1_000 + options.days)
  const sites = webs.map(
    ({ id, host }, place): Site => ({
      web: id,
      host,
      index: id,
      coverage: remarked.includes(place % 10)
        ? 'remarked'
        : place % 10 === incomplete
          ? 'incomplete'
          : 'complete',
      rotates: place % 10 === rotating,
      seenGuests: new Map<number, number>(),
    }),
  )
  const seeded = seedDrifts(sites, options)
  const driftOf = new Map(seeded.map((drift) => [drift.site.web, drift]))
  const counts = { audits: 0, failed: 0, partial: 0, remarked: 0, guests: 0, returned: 0, mostPerDay: 0 }
  const auditsOf = new Map<string, number>()

  function nextAudit(site: Site, day: number, now: Date): PageAudit {
    const drift = driftOf.get(site.web)
    const isDrifting = drift !== undefined && day >= drift.from && (drift.until === null || day < drift.until)
    const outcome = random()
    counts.audits += 1
    const ofDay = (auditsOf.get(`${site.web} ${day}`) ?? 0) + 1
    auditsOf.set(`${site.web} ${day}`, ofDay)
    counts.mostPerDay = Math.max(counts.mostPerDay, ofDay)
    if (outcome < 0.06) {
      counts.failed += 1
      const failed = { outcome: 'failed', engine: 'static', visit: null, complete: false } as const
      return pageAudit([], failed)
    }
    let page = healthy(site)
    if (day * 2 > options.days) page = byNewPolicy(page)
    if (isDrifting) page = drifts[drift.kind].apply(page, site.host)
    if (site.rotates) page = withRequest(page, request(`h${counts.audits}.test`, { phase: 'accepted' }))
    const guest = Math.floor(random() * guests.length)
    const hasGuest = drift === undefined && random() < 0.08 && isGone(site, guest, day)
    if (hasGuest) {
      counts.guests += 1
      if (site.seenGuests.has(guest)) counts.returned += 1
      site.seenGuests.set(guest, day)
      page = guests[guest]?.(page) ?? page
    }
    if (outcome >= 0.18 && site.coverage === 'remarked') {
      counts.remarked += 1
      page = { ...page, outcome: 'partial' }
    } else if (outcome >= 0.18 && site.coverage === 'incomplete')
      page = { ...page, outcome: 'partial', complete: false }
    if (outcome < 0.18) {
      counts.partial += 1
      const hidden = Math.floor(page.findings.length * random())
      const visit = random() < 0.5 ? null : page.visit
      page = { ...page, outcome: 'partial', complete: false, findings: page.findings.slice(hidden), visit }
    }
    if (page.complete)
      for (const other of site.seenGuests.keys())
        if (!hasGuest || other !== guest) site.seenGuests.set(other, Number.NEGATIVE_INFINITY)
    if (isDrifting && isShown(drift, page)) drift.shown.push(now)
    return page
  }

  /** The drifts by their web and the key of the difference that they are. */
  const expected = new Map(
    seeded.map((drift) => [`${drift.site.web} ${drifts[drift.kind].key(drift.site.index)}`, drift]),
  )
  return { sites, seeded, expected, counts, nextAudit }
}
