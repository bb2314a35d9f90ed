import { alertEscalations, certificateWarnings, incidents, probeRounds, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { isNull, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { warnOfCertificates } from '../../src/monitoring/alerts/index.ts'
import { evaluateRound } from '../../src/monitoring/evaluate-round.ts'
import { ensurePartition } from '../../src/monitoring/partitions.ts'
import { addChannel, addRoute } from './add-route.ts'
import { openRounds, type Seen, settings } from './rounds.ts'

/** More than a statement takes parameters. */
const many = 65_536
/** Their escalations have more parameters than a statement takes. */
const routed = 7_000
const day = '2026-11-20'

const database = await testDatabase()
const { db } = database
const { alerts, at } = await openRounds(database)

await db.execute(sql`
  insert into ${webs} (fqdn, fqdn_ascii, customer, configured_ip, status, domain_status, cert_expiration)
  select 'w' || n || '.test', 'w' || n || '.test', case when n <= ${routed}::int then 'BERG' else 'ALPEN' end, '192.0.2.7', 0, 1,
    ${day}::timestamptz
  from generate_series(0, ${many}::int) n`)
await ensurePartition(db, day)
await addRoute(db, {
  customers: ['BERG'],
  steps: [{ after_minutes: 0, channels: [await addChannel(db, 'Night')], rotas: [] }],
})

/** Evaluates a round in which all webs but the first have the same outcome. */
async function evaluate(time: string, outcome: Seen) {
  const roundAt = new Date(`${day}T${time}Z`)
  await db.insert(probeRounds).values({ round_at: roundAt, interval_seconds: 60, shards: 1 })
  await db.execute(sql`
    insert into statistics (web_id, round_at, created_at, status, outcome)
    select id, ${roundAt.toISOString()}, ${roundAt.toISOString()}, 503,
      case when fqdn = 'w0.test' then 'up' else ${outcome}::text end from ${webs}`)
  return evaluateRound(at(new Date(roundAt.getTime() + 100_000).toISOString()), alerts, settings)
}

test('opens and ends more incidents in a round than a statement takes parameters', async () => {
  expect(await evaluate('10:00:00', 'down')).toMatchObject({ opened: many })
  expect(await db.$count(webs, isNull(webs.down_since))).toBe(1)
  expect(await db.$count(incidents, isNull(incidents.alerted_at))).toBe(0)
  expect(await db.$count(alertEscalations)).toBe(routed)

  expect(await evaluate('10:01:00', 'up')).toMatchObject({ ended: many })
  expect(await db.$count(webs, isNull(webs.down_since))).toBe(many + 1)
})

test('warns of as many certificates', async () => {
  const warned = () => warnOfCertificates(at(`${day}T10:05:00Z`), alerts, settings.internalMarker)
  expect(await warned()).toEqual({ warned: many + 1 })
  expect(await warned()).toBeNull()
  expect(await db.$count(certificateWarnings)).toBe(4 * (many + 1))
})
