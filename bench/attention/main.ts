import { attentionRoutes } from '@kustos/contract/attention'
import { urlOf } from '@kustos/contract/route'
import type { OpenDatabase } from '@kustos/database/client'
import { withApi } from '../api.ts'
import { median } from '../median.ts'

/** Measures GET /api/attention and prints the median and the 95th percentile: as the sandbox seeds it, and with 5,000 entries. */
const webs = Number(process.env.KUSTOS_SANDBOX_WEBS ?? 10_000)
const rounds = 100
const queries = [
  ['first screenful', { limit: '5' }],
  ['acknowledged', { state: 'acknowledged' }],
  ['all of a large kind', { kind: 'framework_unsupported', limit: '10000' }],
] as const

await withApi(webs, async ({ database, get }) => {
  console.log(`GET /api/attention with ${webs} webs, one client, ${rounds} requests each\n`)
  await measure('an ordinary day')
  await needAttention(database)
  await measure('a bad day')

  async function measure(day: string): Promise<void> {
    const { rows } = await database.pool.query<{ kib: number }>("select pg_table_size('webs') / 1024 as kib")
    console.log(`${day}, webs of ${Math.round((rows[0]?.kib ?? 0) / 1024)} MiB`)
    for (const [name, query] of queries) {
      const times: number[] = []
      let bytes = 0
      for (let round = -5; round < rounds; round++) {
        const started = performance.now()
        bytes = (await get(urlOf(attentionRoutes.listAttention, {}, query))).bytes
        if (round >= 0) times.push(performance.now() - started)
      }
      const p95 = times.toSorted((one, other) => one - other)[Math.floor(rounds * 0.95)] ?? Number.NaN
      const figures = [median(times), p95].map((ms) => `${ms.toFixed(1).padStart(7)} ms`).join('  p95 ')
      console.log(`  ${name.padEnd(26)} ${figures} ${(bytes / 1024).toFixed(0).padStart(7)} KiB`)
    }
  }
})

/** A bad day in a console that has run for years: one node is down, and much else is due. */
async function needAttention({ pool }: OpenDatabase): Promise<void> {
  for (const statement of [
    "update webs set status = 0, domain_status = 1, monitoring_web_active = true, cert_expiration = now() + (20 + id % 70) * interval '1 day'",
    "update webs set framework_name = 'TYPO3', framework_version = case when id % 5 = 0 then '8.7.32' else '13.4.1' end",
    "update webs set cert_expiration = now() + id % 14 * interval '1 day' where id % 20 = 1",
    'delete from incident_gaps',
    'delete from incidents where ended_at is null',
    `insert into incidents (web_id, started_at, last_failed_at, watched_until, reason)
      select id, now() - id * interval '1 second', now(), now(), 'the connection was refused' from webs
      where node_id = (select min(node_id) from webs) or id % 100 = 2`,
    `insert into deployments (kind, state, fqdn, web_id, node_id, created_at, updated_at, started_at, ended_at, error)
      select 'backupWeb', case when i % 200 = 0 then 'failed' else 'succeeded' end, 'x.test', 1 + i % ${webs}, null, at, at, at, at, 'It failed.'
      from generate_series(1, 100000) i, lateral (select now() - (100000 - i) * interval '10 minutes' as at) t
      where exists (select from webs where id = 1 + i % ${webs})`,
    `insert into tracking_violations select id, now() - id * interval '1 minute', '{googleanalytics,facebookads}' from webs where id % 20 = 3`,
    `insert into inspections (node_id, kind, state, created_at, ended_at)
      select nodes.id, 'discovery', 'failed', at, at from nodes, generate_series(now() - interval '30 days', now(), '1 day') at`,
    `insert into attention_handling (kind, subject_id, since, action, acknowledged_at, acknowledged_by, updated_at)
      select 'framework_unsupported', id, '2024-03-31T23:59:59.999Z', 'acknowledged', now(), 1, now() from webs where id % 10 = 0`,
    'vacuum analyze',
  ])
    await pool.query(statement)
}
