import type { PageAudit } from '../../src/tracking/audit-page.ts'
import { pageAudit } from './audits.ts'
import { type Drift, drifts, guests, healthy, isShown, kinds, type Site } from './drifting-sites.ts'

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

/** Sites of which some drift from their contract, while a part of all audits fails, is incomplete or shows what comes and goes. */
export function createFleet(webs: readonly number[], options: FleetOptions) {
  const random = createRandom(webs.length * 1_000 + options.days)
  const sites = webs.map((web): Site => ({ web, index: web, seenGuests: new Set<number>() }))
  const seeded = seedDrifts(sites, options)
  const driftOf = new Map(seeded.map((drift) => [drift.site.web, drift]))
  const counts = { audits: 0, failed: 0, partial: 0, guests: 0 }

  function nextAudit(site: Site, day: number, now: Date): PageAudit {
    const drift = driftOf.get(site.web)
    const isDrifting = drift !== undefined && day >= drift.from && (drift.until === null || day < drift.until)
    const outcome = random()
    counts.audits += 1
    if (outcome < 0.06) {
      counts.failed += 1
      const failed = { outcome: 'failed', engine: 'static', visit: null, complete: false } as const
      return pageAudit([], failed)
    }
    let page = healthy(site)
    if (isDrifting) page = drifts[drift.kind].apply(page)
    const guest = Math.floor(random() * guests.length)
    if (drift === undefined && random() < 0.08 && !site.seenGuests.has(guest)) {
      counts.guests += 1
      site.seenGuests.add(guest)
      page = guests[guest]?.(page) ?? page
    }
    if (outcome < 0.18) {
      counts.partial += 1
      const hidden = Math.floor(page.findings.length * random())
      const visit = random() < 0.5 ? null : page.visit
      page = { ...page, outcome: 'partial', complete: false, findings: page.findings.slice(hidden), visit }
    }
    if (isDrifting && isShown(drift, page)) drift.shown.push(now)
    return page
  }

  /** The drifts by their web and the key of the difference that they are. */
  const expected = new Map(
    seeded.map((drift) => [`${drift.site.web} ${drifts[drift.kind].key(drift.site.index)}`, drift]),
  )
  return { sites, seeded, expected, counts, nextAudit }
}
