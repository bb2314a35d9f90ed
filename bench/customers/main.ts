import { customersRoutes } from '@kustos/contract/customers'
import { urlOf } from '@kustos/contract/route'
import type { OpenDatabase } from '@kustos/database/client'
import { withApi } from '../api.ts'
import { median } from '../median.ts'

/** Measures the list of customers, and the pages of an ordinary and of a large one, over HTTP. */
const webs = Number(process.env.KUSTOS_SANDBOX_WEBS ?? 10_000)
const customers = 300
const rounds = 25
/** Whose webs are a tenth of all; the others share the rest evenly. */
const large = 'CUSTOMER 0'
const ordinary = 'CUSTOMER 1'
const { listCustomers, readCustomer, readTimeline, previewMerge } = customersRoutes

await withApi(webs, async ({ database, get }) => {
  await fill(database)
  const paths = {
    'the list': listCustomers.path,
    'page, ordinary': urlOf(readCustomer, { code: ordinary }),
    'timeline, ordinary, 4 weeks': urlOf(readTimeline, { code: ordinary }),
    'timeline, ordinary, 52 weeks': urlOf(readTimeline, { code: ordinary }, { weeks: 52 }),
    'preview of a merge, ordinary': urlOf(previewMerge, { code: ordinary }),
    'page, large': urlOf(readCustomer, { code: large }),
    'timeline, large, 4 weeks': urlOf(readTimeline, { code: large }),
  }
  console.log(`${webs} webs of ${customers} customers, one client, medians of ${rounds} requests\n`)
  for (const [name, path] of Object.entries(paths)) {
    const times: number[] = []
    let bytes = 0
    for (let round = 0; round < rounds + 2; round++) {
      const started = performance.now()
      bytes = (await get(path)).bytes
      if (round >= 2) times.push(performance.now() - started)
    }
    const shown = [median(times), Math.max(...times)].map((time) => time.toFixed(1).padStart(8)).join(' ms')
    console.log(`${name.padEnd(30)} ${shown} ms ${(bytes / 1024).toFixed(0).padStart(8)} KiB`)
  }
})

/** Each web gets 90 days of uptime, an audit in a browser, two incidents, a deployment and 28 entries of the log. */
async function fill({ pool }: OpenDatabase): Promise<void> {
  const statements = [
    `update webs set customer = 'CUSTOMER ' || case when id % 10 = 0 then 0 else 1 + id % ${customers - 1} end`,
    `update own_domains set customer = 'CUSTOMER ' || id % ${customers}`,
    `update external_domains set customer = 'CUSTOMER ' || id % ${customers}`,
    `update emails set customer = 'CUSTOMER ' || id % ${customers}`,
    `insert into uptime_days (web_id, day, downtime, known, checks, failures)
      select w.id, current_date - n, case when n % 9 = 0 then 300 else 0 end, 86400, 1440, 5
      from webs w, generate_series(1, 90) n on conflict do nothing`,
    `insert into log_entries (created_at, log_name, description, subject_type, subject_id, properties)
      select now() - n * interval '1 day', 'webs', 'updated', 'web', w.id, '{"old":{"comment":"a"},"attributes":{"comment":"b"}}'
      from webs w, generate_series(0, 27) n where now() - n * interval '1 day' >= date_trunc('month', now() at time zone 'UTC')`,
    `insert into tracking_audits (web_id, audited_at, engine, outcome, findings, visit)
      select w.id, now(), 'browser', 'seen', '[]', (
        select json_build_object('refused', null, 'accepted', null, 'asked', json_agg(json_build_object(
          'phase', case when n < 4 then 'before' else 'accepted' end, 'verdict', case when n < 4 then 'violation' else 'none' end,
          'topic', 'matomo', 'host', 'host-' || n || '.test', 'ids', '[]'::json, 'requests', 1, 'method', 'GET', 'kind', 'script',
          'initiator', null, 'url', 'https://host-' || n || '.test/' || repeat('x', 80))))
        from generate_series(1, 40) n)
      from webs w`,
    `insert into incidents (web_id, started_at, ended_at, last_failed_at, watched_until, reason)
      select w.id, now() - n * interval '9 days', now() - n * interval '9 days' + interval '5 minutes', now(), now(), 'Timeout'
      from webs w, generate_series(1, 2) n`,
    `insert into deployments (kind, state, fqdn, web_id, created_at, updated_at, started_at, ended_at)
      select 'backupWeb', 'succeeded', fqdn, id, now() - interval '3 days', now(), now(), now() from webs`,
    `delete from customers c where code not like 'CUSTOMER %'`,
    'vacuum analyze',
  ]
  const client = await pool.connect()
  await client.query('set statement_timeout = 0')
  for (const statement of statements) await client.query(statement)
  client.release(true)
}
