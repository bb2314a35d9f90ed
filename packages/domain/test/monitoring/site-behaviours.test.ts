import { openProber } from '@kustos/clients/probe'
import { type SiteBehaviour, siteBehaviours, startBehavingSites } from '@kustos/clients/testing/behaviours'
import { checks, probeRounds, type StoredCheck, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayOf } from '../../src/monitoring/day.ts'
import { evaluateRound } from '../../src/monitoring/evaluate-round.ts'
import { ensurePartition } from '../../src/monitoring/partitions.ts'
import { probeWebs } from '../../src/monitoring/probe-shard.ts'
import { openProbing } from '../../src/monitoring/probing.ts'
import { createContext } from '../../src/platform/context.ts'
import { openAlerting } from './alert-environment.ts'
import { openRefreshing } from './refresh-sites.ts'
import { monitoredWeb, settings } from './rounds.ts'
import { expectedOutcome, readOutcomes, type SiteOutcome } from './site-outcomes.ts'

const domain = 'behaviours.test'
const hostOf = ({ name }: SiteBehaviour) => `${name}.${domain}`

const database = await testDatabase()
const { db } = database
const context = createContext(database)
const { tools } = await openAlerting(database)
const sites = await startBehavingSites(new Map(siteBehaviours.map((site) => [hostOf(site), site])), {
  domain,
})
const prober = openProber({
  dnsServers: [sites.dnsServer],
  ports: sites.ports,
  authorities: [sites.authority],
  allowNetworks: ['127.77.0.0/16', '::1/128'],
  // Long enough for a busy machine.
  deadlineMs: 4_000,
})
const probing = openProbing(prober, { confirmAfterMs: 100 })
const refreshing = openRefreshing(sites)
afterAll(async () => {
  await refreshing.close()
  await prober.close()
  await sites.stop()
})

/** The phase of each round. Flapping sites fail in every second one. */
const phases = [0, 1, 1, 1, 2, 2, 2] as const

let found: ReadonlyMap<string, SiteOutcome>
beforeAll(async () => {
  const rows = await db
    .insert(webs)
    .values(
      siteBehaviours.map((site) =>
        monitoredWeb(hostOf(site), {
          monitoring_web_reporting_channel: 'slack',
          configured_ip: '127.77.0.1',
        }),
      ),
    )
    .returning({ id: webs.id, fqdn: webs.fqdn })
  for (const { id, fqdn } of rows) {
    const settings = siteBehaviours.find((site) => hostOf(site) === fqdn)?.check
    if (settings !== undefined)
      await db.insert(checks).values({ web_id: id, settings: settings as StoredCheck })
  }
  for (const [index, phase] of phases.entries()) {
    sites.setMinute({ phase, isOdd: index % 2 === 1 })
    if (phase !== phases[index - 1]) await refreshing.refresh(context)
    await runRound()
  }
  found = await readOutcomes(db)
}, 120_000)

async function runRound(): Promise<void> {
  const at = new Date()
  const shard = {
    round_at: at.toISOString(),
    begins_at: at.toISOString(),
    shard: 0,
    shards: 1,
    interval: 60,
    spread: 100,
  }
  await ensurePartition(db, dayOf(at))
  await db.insert(probeRounds).values({ round_at: at, interval_seconds: 60, shards: 1 })
  expect(await probeWebs(context, probing, settings, shard, new AbortController().signal)).toBe('done')
  expect(await evaluateRound(context, tools, settings)).toMatchObject({ round: at, state: 'known' })
}

const testable = siteBehaviours.filter(({ name }) => sites.hasIpv6 || name !== 'ipv6-only')

test.each(testable)('$name', (site) => {
  expect(found.get(hostOf(site))).toEqual(expectedOutcome(site))
})
