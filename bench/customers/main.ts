import { attentionRoutes } from '@kustos/contract/attention'
import { customersRoutes } from '@kustos/contract/customers'
import { nodesRoutes } from '@kustos/contract/nodes'
import { urlOf } from '@kustos/contract/route'
import type { OpenDatabase } from '@kustos/database/client'
import { withApi } from '../api.ts'
import { median } from '../median.ts'
import { runLong } from '../run-long.ts'

/** Measures the list of customers, the pages of an ordinary and of a large one, and that of a node, over HTTP. */
const webs = Number(process.env.KUSTOS_SANDBOX_WEBS ?? 10_000)
const customers = 300
const nodes = 40
const rounds = 25
/** Whose webs are a tenth of all; the others share the rest evenly. */
const large = 'CUSTOMER 0'
const ordinary = 'CUSTOMER 1'
const node = 'node-7'
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
    'page of a node': urlOf(nodesRoutes.readNodeOverview, { name: node }),
    'timeline of a node, 4 weeks': urlOf(nodesRoutes.readNodeTimeline, { name: node }),
    'attention of a node': urlOf(attentionRoutes.listAttention, {}, { node }),
    'attention of the large customer': urlOf(attentionRoutes.listAttention, {}, { customer: large }),
  }
  console.log(
    `${webs} webs of ${customers} customers on ${nodes} nodes, one client, medians of ${rounds} requests\n`,
  )
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

/** Each web gets a node, 90 days of uptime, an audit in a browser, two incidents, a deployment and 28 entries of the log. */
async function fill(database: OpenDatabase): Promise<void> {
  const statements = [
    `update webs set customer = 'CUSTOMER ' || case when id % 10 = 0 then 0 else 1 + id % ${customers - 1} end`,
    `insert into nodes (name, plesk_fqdn) select 'node-' || n, 'node-' || n || '.test' from generate_series(1, ${nodes}) n`,
    `update webs set node_id = (select id from nodes where name = 'node-' || 1 + webs.id % ${nodes})`,
    `insert into inspections (node_id, kind, state, created_at, ended_at) select id, 'discovery', 'succeeded', now(), now() from nodes`,
    `insert into discovered_webs (node_id, fqdn, fqdn_ascii, php_version, databases, sites, aliases, databases_read)
      select node_id, fqdn, fqdn_ascii, '8.' || id % 4, '[]', '[]', '[]', true from webs where deleted_at is null`,
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
    `update tracking_audits set before_consent = (
      select json_agg(json_build_object('topic', asked ->> 'topic', 'host', asked ->> 'host'))
      from json_array_elements(visit -> 'asked') asked where asked ->> 'phase' = 'before')`,
    `insert into incidents (web_id, started_at, ended_at, last_failed_at, watched_until, reason)
      select w.id, now() - n * interval '9 days', now() - n * interval '9 days' + interval '5 minutes', now(), now(), 'Timeout'
      from webs w, generate_series(1, 2) n`,
    `insert into deployments (kind, state, fqdn, web_id, node_id, created_at, updated_at, started_at, ended_at)
      select 'backupWeb', 'succeeded', fqdn, id, node_id, now() - interval '3 days', now(), now(), now() from webs`,
    `delete from customers c where code not like 'CUSTOMER %'`,
    'vacuum analyze',
  ]
  for (const statement of statements) await runLong(database, statement)
}
