import { maintenanceRoutes } from '@kustos/contract/maintenance'
import { monitoringRoutes } from '@kustos/contract/monitoring'
import { urlOf } from '@kustos/contract/route'
import type { OpenDatabase } from '@kustos/database/client'
import { listAttention } from '@kustos/domain/attention'
import { extendOccurrences, readWebsInMaintenance, recordPlannedDowntime } from '@kustos/domain/maintenance'
import { createContext } from '@kustos/domain/platform/context'
import { withApi } from '../api.ts'
import { median } from '../median.ts'
import { runLong } from '../run-long.ts'

/**
 * Measures what maintenance windows cost: which webs they cover, what each round of probes records, and the lists that show them.
 * A quarter of the windows runs, each kind of target is that of a quarter of them, and 500 webs are down.
 */
const webs = Number(process.env.KUSTOS_SANDBOX_WEBS ?? 100_000)
const windows = 1_000
const rounds = 15
const now = new Date()
const { listWindows, listWebsInMaintenance } = maintenanceRoutes

await withApi(webs, async ({ database, get }) => {
  await fill(database)
  const { db } = database
  const admin = {
    id: 1,
    email: 'admin@kustos.test',
    name: '',
    roles: [{ id: 1, name: 'admin' }],
    permissions: [],
  }
  const context = createContext(database, admin as never)
  const running = await readWebsInMaintenance(db, now)
  const [first = 0] = running.keys()
  console.log(`${webs} webs, ${windows} windows, ${running.size} webs in maintenance; medians of ${rounds}\n`)
  const measured: Readonly<Record<string, () => Promise<unknown>>> = {
    'webs in maintenance, all': () => readWebsInMaintenance(db, now),
    'webs in maintenance, one': () => readWebsInMaintenance(db, now, first),
    'recording of a round, 500 webs down': () =>
      recordPlannedDowntime(db, { at: now, intervalMs: 60_000 }, []),
    'what needs attention': () => listAttention(context, { internalMarker: '.intern.' }, {}),
    'GET the webs in maintenance': () => get(listWebsInMaintenance.path),
    'GET the list of windows': () => get(listWindows.path),
    'GET the windows of a web': () => get(urlOf(listWindows, {}, { web: String(first) })),
    'GET the monitoring list': () => get(monitoringRoutes.listMonitoredWebs.path),
    'occurrences of the next two weeks': () => extendOccurrences(context),
  }
  for (const [name, work] of Object.entries(measured)) {
    const times: number[] = []
    for (let round = 0; round < rounds + 2; round++) {
      const started = performance.now()
      await work()
      if (round >= 2) times.push(performance.now() - started)
    }
    const shown = [median(times), Math.max(...times)].map((time) => time.toFixed(1).padStart(8)).join(' ms')
    console.log(`${name.padEnd(38)} ${shown} ms`)
  }
})

async function fill(database: OpenDatabase): Promise<void> {
  const statements = [
    `insert into nodes (name, plesk_fqdn) select 'node-' || n, 'node-' || n || '.test' from generate_series(1, 400) n`,
    `update webs set sysuser = 'web' || id, customer = 'CUSTOMER ' || id % 3000, tags = array['contract:' || (array['gold', 'silver'])[1 + id % 2], 'team-' || id % 300],
      node_id = (select id from nodes where name = 'node-' || 1 + webs.id % 400)`,
    `insert into maintenance_scopes (web_ids, node_ids, customers, tags)
      select case when n % 4 = 0 then array[n, n + 1, n + 2] else '{}' end,
        case when n % 4 = 1 then array[(select id from nodes where name = 'node-' || 1 + n % 400)] else '{}' end,
        case when n % 4 = 2 then array['CUSTOMER ' || n] else '{}' end,
        case when n % 4 = 3 then array['team-' || n % 300] else '{}' end
      from generate_series(1, ${windows}) n`,
    `insert into maintenance_windows (reason, scope_id, repeats, weekdays, month_days, start_time, duration_minutes, first_day, planned_by)
      select 'Updates ' || id, id, 'weekly', '{1,2,3,4,5,6,7}', '{}', '00:00', 60, current_date, (select min(id) from users)
      from maintenance_scopes where id not in (select scope_id from maintenance_windows)`,
    // A month of past ones, those of the next two weeks, and a quarter of the windows running.
    `insert into maintenance_occurrences (window_id, scope_id, starts_at, ends_at)
      select w.id, w.scope_id, s, s + interval '1 hour' from maintenance_windows w,
        lateral (select now() + n * interval '1 day' - (case when w.id % 16 < 4 then 30 else 300 end) * interval '1 minute' as s
          from generate_series(-30, 14) n) times`,
    `insert into incidents (web_id, started_at, last_failed_at, watched_until, reason)
      select id, now() - interval '10 minutes', now(), now(), 'Timeout' from webs
      where id % ${Math.round(webs / 500)} = 0 and deleted_at is null on conflict do nothing`,
    'vacuum analyze',
  ]
  for (const statement of statements) await runLong(database, statement)
}
