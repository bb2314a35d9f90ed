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
  trackingExceptions,
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
import { allowedKey, contractOf, type Drift, type Site } from './drifting-sites.ts'
import { createFleet, type FleetOptions } from './flaky-fleet.ts'

const dayMs = 86_400_000
const minuteMs = 60_000
/** Of audits, as by some workers. */
const concurrency = 6
const start = Date.parse('2026-11-01T02:00:00Z')

export interface DriftReport {
  readonly audits: number
  readonly failed: number
  readonly partial: number
  /** Of audits that are partial, but hide no tracking. */
  readonly remarked: number
  readonly guests: number
  /** Of guests that had been there before. */
  readonly returned: number
  /** Audits of one web on one day. */
  readonly mostPerDay: number
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

interface Options extends FleetOptions {
  readonly customers: number
}

/** Lets time pass over the audits of a fleet in which some webs drift and many are flaky, and compares what is confirmed with what was seeded. */
export async function simulateDrift(
  database: OpenDatabase,
  alerts: AlertTools,
  { customers: count, ...options }: Options,
): Promise<DriftReport> {
  const { db } = database
  let clock = start
  const at = (time: number) => createContext(database, null, () => new Date(time))
  const fleet = createFleet(await addWebs(database, count), options)
  await addContracts(database, fleet.sites)
  await addDeployments(database, fleet.seeded)
  const siteOf = new Map(fleet.sites.map((site) => [site.web, site]))

  const audit = (site: Site, day: number, inspection: number | undefined) =>
    storeAudit(
      at(clock),
      alerts,
      { id: site.web, host: site.host },
      fleet.nextAudit(site, day, new Date(clock)),
      {
        inspection: inspection === undefined ? null : { id: inspection, isRequested: false },
        revision: 'test',
      },
    )

  /** @param requested the inspections of webs, by web */
  async function auditAll(
    all: readonly Site[],
    day: number,
    requested: ReadonlyMap<number | null, number> = new Map(),
  ): Promise<void> {
    for (const together of chunk(all, concurrency)) {
      clock += 10_000
      await Promise.all(together.map((site) => audit(site, day, requested.get(site.web))))
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

  for (let day = 0; day < options.days; day++) {
    clock = start + day * dayMs
    await auditAll(fleet.sites, day)
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
        new Map(waiting.map(({ id, web }) => [web, id])),
      )
      await db
        .update(inspections)
        .set({ state: 'succeeded', ended_at: new Date(clock) })
        .where(eq(inspections.state, 'waiting'))
    }
  }
  return { ...fleet.counts, ...(await compare(database, fleet)) }
}

/** Webs of a customer each, and the route of them all. */
async function addWebs({ db }: OpenDatabase, count: number) {
  const codes = Array.from({ length: count }, (_, index) => `C${index}`)
  const facts = { status: 0, domain_status: 1 }
  const rows = await db
    .insert(webs)
    .values(codes.map((code) => webRow(`${code.toLowerCase()}.test`, { ...facts, customer: code })))
    .returning({ id: webs.id, host: webs.fqdn_ascii })
  const [channel] = await db
    .insert(alertChannels)
    .values({ name: 'Privacy', kind: 'webhook', settings: {} })
    .returning({ id: alertChannels.id })
  await db.insert(alertRoutes).values({
    customers: codes,
    tags: [],
    node_ids: [],
    weekdays: [],
    name: 'Tracking',
    position: 1,
    is_active: true,
    severities: ['tracking'],
    replaces_channels: true,
    continues: false,
    steps: [{ after_minutes: 0, channels: [channel?.id ?? 0], rotas: [] }],
  })
  return rows
}

async function addContracts({ db }: OpenDatabase, sites: readonly Site[]): Promise<void> {
  const owners = await db
    .select({ web: webs.id, customer: customers.id })
    .from(webs)
    .innerJoin(customers, eq(customers.code, webs.customer))
  const customerOf = new Map(owners.map(({ web, customer }) => [web, customer]))
  await db
    .insert(trackingContracts)
    .values(
      sites.map((site) => ({ customer_id: customerOf.get(site.web) ?? null, settings: contractOf(site) })),
    )
  const exception = { key: allowedKey, reason: 'Campaign', created_at: new Date(start) }
  await db.insert(trackingExceptions).values(
    sites.map((site) => ({
      ...exception,
      customer_id: customerOf.get(site.web) ?? null,
      until: new Date(start + 365 * dayMs),
    })),
  )
}

/** Half of the drifts follow a deployment. */
async function addDeployments({ db }: OpenDatabase, seeded: readonly Drift[]): Promise<void> {
  for (const drift of seeded.filter((_, number) => number % 2 === 0)) {
    const time = new Date(start + drift.from * dayMs - 60 * minuteMs)
    const times = { created_at: time, updated_at: time, started_at: time, ended_at: time }
    const [row] = await db
      .insert(deployments)
      .values({ kind: 'updateWeb', state: 'succeeded', fqdn: 'a.test', web_id: drift.site.web, ...times })
      .returning({ id: deployments.id })
    drift.deployment = row?.id ?? null
  }
}

async function compare(
  { db }: OpenDatabase,
  { seeded, expected }: Pick<ReturnType<typeof createFleet>, 'seeded' | 'expected'>,
) {
  const rows = await db.select().from(trackingDifferences)
  const confirmed = rows.filter(({ confirmed_at }) => confirmed_at !== null)
  const rowOf = new Map(confirmed.map((row) => [`${row.web_id} ${row.key}`, row]))
  const found = [...expected].filter(([key, { shown, kind, deployment }]) => {
    const row = rowOf.get(key)
    return (
      row !== undefined &&
      row.confirmed_at?.getTime() === shown[1]?.getTime() &&
      row.alerted_at?.getTime() === shown[1]?.getTime() &&
      (kind.startsWith('missing') || row.evidence !== null) &&
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
