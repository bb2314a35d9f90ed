import type { OpenDatabase } from '@kustos/database/client'
import {
  alertChannels,
  alertRoutes,
  alerts as alertRows,
  customers,
  deployments,
  inspections,
  trackingContracts,
  trackingDifferences,
  trackingJudgements,
  webs,
} from '@kustos/database/tables'
import { asc, eq, sql } from 'drizzle-orm'
import type { AlertTools } from '../../src/monitoring/index.ts'
import { chunk } from '../../src/platform/chunk.ts'
import { createContext } from '../../src/platform/context.ts'
import { storeAudit } from '../../src/tracking/index.ts'
import { scheduleRechecks } from '../../src/tracking-contracts/index.ts'
import { webRow } from '../web-row.ts'
import {
  contractOf,
  type Drift,
  drifts,
  guests,
  healthy,
  isShown,
  kinds,
  type Site,
} from './drifting-sites.ts'

const dayMs = 86_400_000
const minuteMs = 60_000
/** Of audits, as by some workers. */
const concurrency = 6
/** Until a drift is repaired, and for its end to be confirmed. */
const [repairDays, endDays] = [4, 3]
const start = Date.parse('2026-11-01T02:00:00Z')

/** Numbers from 0 to 1 that are the same in each run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

export interface DriftReport {
  readonly audits: number
  readonly failed: number
  readonly partial: number
  readonly guests: number
  readonly seeded: number
  /** Confirmed by the second audit that shows it, with evidence and what preceded it. */
  readonly found: number
  /** Confirmed differences that nobody has seeded. */
  readonly wrong: readonly string[]
  readonly repaired: number
  readonly ended: number
  /** Messages to the channel of the customers' route. */
  readonly alerts: number
  readonly expectedAlerts: number
}

interface Options {
  readonly customers: number
  readonly drifts: number
  readonly days: number
}

/** Lets time pass over the audits of a fleet in which some webs drift and many are flaky, and compares what is confirmed with what was seeded. */
export async function simulateDrift(
  database: OpenDatabase,
  alerts: AlertTools,
  { customers: count, drifts: driftCount, days }: Options,
): Promise<DriftReport> {
  const { db } = database
  const random = createRandom(count * 1_000 + days)
  let clock = start
  const at = (time: number) => createContext(database, null, () => new Date(time))
  const sites = await addSites(database, count)
  const siteOf = new Map(sites.map((site) => [site.web, site]))
  const seeded = await seedDrifts(database, sites, driftCount, days)
  const driftOf = new Map(seeded.map((drift) => [drift.site.web, drift]))
  const counts = { audits: 0, failed: 0, partial: 0, guests: 0 }

  async function audit(site: Site, day: number): Promise<void> {
    const now = clock
    const drift = driftOf.get(site.web)
    const isDrifting = drift !== undefined && day >= drift.from && (drift.until === null || day < drift.until)
    let page = healthy(site)
    if (isDrifting) page = drifts[drift.kind].apply(page)
    const outcome = random()
    counts.audits += 1
    if (outcome < 0.06) {
      counts.failed += 1
      return storeAudit(at(now), alerts, site.web, {
        ...page,
        outcome: 'failed',
        engine: 'static',
        visit: null,
        findings: [],
        complete: false,
      })
    }
    const guest = Math.floor(random() * guests.length)
    if (drift === undefined && random() < 0.08 && !site.seenGuests.has(guest)) {
      counts.guests += 1
      site.seenGuests.add(guest)
      page = guests[guest]?.(page) ?? page
    }
    const isPartial = outcome < 0.18
    if (isPartial) {
      counts.partial += 1
      const hidden = page.findings.length * random()
      page = {
        ...page,
        outcome: 'partial',
        complete: false,
        findings: page.findings.slice(Math.floor(hidden)),
        visit: random() < 0.5 ? null : page.visit,
      }
    }
    if (isDrifting && isShown(drift, page)) drift.shown.push(new Date(now))
    return storeAudit(at(now), alerts, site.web, page)
  }

  async function auditAll(all: readonly Site[], day: number): Promise<void> {
    for (const together of chunk(all, concurrency)) {
      clock += 10_000
      await Promise.all(together.map((site) => audit(site, day)))
    }
  }

  /** Goes to the time at which the next audit has to confirm something, if that is on the same day. */
  async function advanceToRecheck(): Promise<boolean> {
    const [due] = await db
      .select({
        at: sql<Date | null>`min(${trackingJudgements.recheck_at})`.mapWith(trackingJudgements.recheck_at),
      })
      .from(trackingJudgements)
    if (!due?.at || due.at.getTime() > clock + dayMs / 2) return false
    clock = Math.max(clock, due.at.getTime())
    return true
  }

  for (let day = 0; day < days; day++) {
    clock = start + day * dayMs
    await auditAll(sites, day)
    while (await advanceToRecheck()) {
      await scheduleRechecks(at(clock), alerts)
      const waiting = await db
        .select({ id: inspections.id, web: inspections.web_id })
        .from(inspections)
        .where(eq(inspections.state, 'waiting'))
        .orderBy(asc(inspections.id))
      await auditAll(
        waiting.flatMap(({ web }) => siteOf.get(web ?? 0) ?? []),
        day,
      )
      await db
        .update(inspections)
        .set({ state: 'succeeded', ended_at: new Date(clock) })
        .where(eq(inspections.state, 'waiting'))
    }
  }
  return { ...counts, ...(await compare(database, seeded)) }
}

async function addSites({ db }: OpenDatabase, count: number): Promise<Site[]> {
  const codes = Array.from({ length: count }, (_, index) => `C${index}`)
  const sites: Site[] = []
  for (const batch of chunk(codes)) {
    const rows = await db
      .insert(webs)
      .values(
        batch.map((code) =>
          webRow(`${code.toLowerCase()}.test`, { customer: code, status: 0, domain_status: 1 }),
        ),
      )
      .returning({ id: webs.id })
    sites.push(...rows.map(({ id }) => ({ web: id, index: id, seenGuests: new Set<number>() })))
  }
  const ids = new Map(
    (await db.select({ id: customers.id, code: customers.code }).from(customers)).map(({ id, code }) => [
      code,
      id,
    ]),
  )
  await db
    .insert(trackingContracts)
    .values(
      sites.map((site, index) => ({ customer_id: ids.get(`C${index}`) ?? null, settings: contractOf(site) })),
    )
  const [channel] = await db
    .insert(alertChannels)
    .values({ name: 'Privacy', kind: 'webhook', settings: {} })
    .returning({ id: alertChannels.id })
  const everything = {
    customers: codes,
    tags: [],
    node_ids: [],
    weekdays: [],
    from_time: null,
    to_time: null,
  }
  await db.insert(alertRoutes).values({
    ...everything,
    name: 'Tracking',
    position: 1,
    is_active: true,
    severities: ['tracking'],
    replaces_channels: true,
    continues: false,
    steps: [{ after_minutes: 0, channels: [channel?.id ?? 0], rotas: [] }],
  })
  return sites
}

/** Each kind alike, spread over the days; a third is repaired after some days, and half follow a deployment. */
async function seedDrifts(
  { db }: OpenDatabase,
  sites: readonly Site[],
  count: number,
  days: number,
): Promise<readonly Drift[]> {
  const step = Math.floor(sites.length / count)
  // The last days are left for those that no audit has shown twice yet.
  const lastDay = Math.max(1, days - 6)
  const seeded: Drift[] = []
  for (let number = 0; number < count; number++) {
    const site = sites[number * step]
    if (site === undefined) continue
    const from = 1 + (number % lastDay)
    let deployment: number | null = null
    if (number % 2 === 0) {
      const at = new Date(start + from * dayMs - 60 * minuteMs)
      const [row] = await db
        .insert(deployments)
        .values({
          kind: 'updateWeb',
          state: 'succeeded',
          fqdn: 'deployed.test',
          web_id: site.web,
          created_at: at,
          updated_at: at,
          started_at: at,
          ended_at: at,
        })
        .returning({ id: deployments.id })
      deployment = row?.id ?? null
    }
    const until = number % 3 === 0 && from + repairDays < days - endDays ? from + repairDays : null
    const kind = kinds[number % kinds.length] ?? 'missing'
    seeded.push({ site, kind, from, until, deployment, shown: [] })
  }
  return seeded
}

async function compare({ db }: OpenDatabase, seeded: readonly Drift[]) {
  const rows = await db.select().from(trackingDifferences)
  const confirmed = rows.filter(({ confirmed_at }) => confirmed_at !== null)
  const expected = new Map(
    seeded.map((drift) => [`${drift.site.web} ${drifts[drift.kind].key(drift.site.index)}`, drift]),
  )
  const rowOf = new Map(confirmed.map((row) => [`${row.web_id} ${row.key}`, row]))
  const found = [...expected].filter(([key, { shown, kind, deployment }]) => {
    const row = rowOf.get(key)
    return (
      row !== undefined &&
      row.confirmed_at?.getTime() === shown[1]?.getTime() &&
      row.alerted_at?.getTime() === shown[1]?.getTime() &&
      (kind === 'missing' || row.evidence !== null) &&
      (deployment === null || row.preceded_by?.deployment?.id === deployment)
    )
  })
  const repaired = seeded.filter(({ until }) => until !== null)
  const ended = confirmed.filter(({ ended_at }) => ended_at !== null)
  const messages = await db.select({ id: alertRows.id }).from(alertRows)
  return {
    seeded: seeded.length,
    found: found.length,
    wrong: confirmed.flatMap(({ web_id, key }) =>
      expected.has(`${web_id} ${key}`) ? [] : [`${web_id} ${key}`],
    ),
    repaired: repaired.length,
    ended: ended.length,
    alerts: messages.length,
    expectedAlerts: seeded.length + repaired.length,
  }
}
