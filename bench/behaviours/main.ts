import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Minute, SiteBehaviour } from '@kustos/clients/testing/behaviours'
import { freePort } from '@kustos/clients/testing/free-port'
import { openDatabase } from '@kustos/database/client'
import { startEmbedded } from '@kustos/database/embedded'
import { migrate } from '@kustos/database/migrations'
import { incidents, webs } from '@kustos/database/tables'
import { stop } from '../probe/machine.ts'
import { formFleet } from './fleet.ts'

/**
 * Lets workers monitor a fleet whose sites behave in every way of the table, while workers and Postgres are killed, and counts the
 * webs whose state, incidents or alerts are not as the table says. A round stands for a minute.
 */
const count = Number(process.env.KUSTOS_BENCH_WEBS ?? 5_000)
const rounds = Number(process.env.KUSTOS_BENCH_ROUNDS ?? 60)
const interval = Number(process.env.KUSTOS_BENCH_INTERVAL ?? 20)
const kills = process.env.KUSTOS_BENCH_KILLS !== '0'

/** Where phases 1 and 2 begin. */
const change = rounds / 4
const end = rounds * 0.6
/** Rounds of a flapping site until it changes: a minute, since a failure is confirmed after ten seconds. */
const roundsOfFlap = Math.ceil(60 / interval)

const fleet = formFleet(count)
const folder = await mkdtemp(join(tmpdir(), 'kustos-bench-'))
const sites = fork(join(import.meta.dirname, 'sites.ts'), [String(count)])
const port = await freePort()
const startPostgres = () => startEmbedded({ folder: join(folder, 'postgres'), port })
let postgres = await startPostgres()
const workers: ChildProcess[] = []
try {
  const [{ authority, dnsServer, hasIpv6 }] = await once(sites, 'message')
  const authorityFile = join(folder, 'authority.pem')
  await writeFile(authorityFile, authority)
  await migrate(postgres.url)
  await insertFleet()
  const startWorker = () =>
    fork(join(import.meta.dirname, '../../apps/worker/src/main.ts'), {
      execArgv: ['--max-semi-space-size=8'],
      env: {
        ...process.env,
        DATABASE_URL: postgres.url,
        PROBE_INTERVAL: String(interval),
        WORKER_QUEUES: 'monitoring,periodic,notification',
        DNS_SERVERS: dnsServer,
        PROBE_ALLOW_NETWORKS: '127.77.0.0/16,::1/128',
        PROBE_CA_FILE: authorityFile,
        LOG_LEVEL: 'error',
      },
    })
  workers.push(startWorker(), startWorker())
  console.log(
    `${count} webs of ${new Set(fleet.values()).size} behaviours, ${rounds} rounds of ${interval} s`,
  )
  let killed = 0
  let restarts = 0
  for (let round = 0; round < rounds; round++) {
    sites.send(minuteOf(round))
    await sleep((interval * 1_000) / 2)
    if (kills) {
      const victim = round % workers.length
      workers[victim]?.kill('SIGKILL')
      workers[victim] = startWorker()
      killed += 1
      if (round % 10 === 9) {
        process.kill(postgres.pid, 'SIGKILL')
        postgres = await startPostgres()
        restarts += 1
      }
    }
    await sleep((interval * 1_000) / 2)
  }
  // The last rounds are evaluated a while after they were begun.
  await sleep(interval * 1_000 + 40_000)
  await report(hasIpv6)
  if (kills) console.log(`${killed} workers and Postgres ${restarts} times killed`)
} finally {
  await Promise.all([...workers, sites].map(stop))
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

function minuteOf(round: number): Minute {
  const phase = round < change ? 0 : round < end ? 1 : 2
  return { phase, isOdd: Math.floor(round / roundsOfFlap) % 2 === 1 }
}

async function insertFleet(): Promise<void> {
  const database = openDatabase(postgres.url, { asLogin: true })
  const hosts = [...fleet.keys()]
  for (let from = 0; from < hosts.length; from += 1_000)
    await database.db.insert(webs).values(
      hosts.slice(from, from + 1_000).map((fqdn) => ({
        fqdn,
        fqdn_ascii: fqdn,
        customer: 'BENCH',
        configured_ip: '127.77.0.1',
        status: 0,
        domain_status: 1,
        monitoring_web_active: true,
      })),
    )
  await database.pool.query('vacuum analyze')
  await database.close()
}

/** Prints the webs that are not as expected, by behaviour. */
async function report(hasIpv6: boolean): Promise<void> {
  const database = openDatabase(postgres.url, { asLogin: true })
  const all = await database.db.select().from(incidents).orderBy(incidents.id)
  const ofWeb = Map.groupBy(all, ({ web_id }) => web_id)
  const wrong = new Map<SiteBehaviour, string[]>()
  for (const { id, fqdn, down_since } of await database.db.select().from(webs)) {
    const site = fleet.get(fqdn)
    if (site === undefined || (site.name === 'ipv6-only' && !hasIpv6)) continue
    const found = {
      state: down_since === null ? 'up' : 'down',
      incidents: (ofWeb.get(id) ?? []).map(({ kind, ended_at, reason_code, alerted_at }) => ({
        kind,
        isOpen: ended_at === null,
        reason: reason_code,
        ...(alerted_at === null && { isSilent: true }),
      })),
    }
    const text = JSON.stringify(found)
    if (text !== JSON.stringify(site.expected)) wrong.set(site, [...(wrong.get(site) ?? []), text])
  }
  const sum = [...wrong.values()].reduce((total, { length }) => total + length, 0)
  console.log(`${sum} of ${count} webs are not as expected; ${all.length} incidents`)
  for (const [{ name, expected }, texts] of wrong)
    console.log(`${name}: ${texts.length}, such as ${texts[0]} instead of ${JSON.stringify(expected)}`)
  const { rows } = await database.pool.query(
    `select state, count(*)::int as rounds, sum(probes)::int as probes from probe_rounds group by state`,
  )
  for (const { state, rounds, probes } of rows) console.log(`${rounds} rounds ${state}, ${probes} probes`)
  await database.close()
}
