import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Minute, SiteBehaviour } from '@kustos/clients/testing/behaviours'
import { freePort } from '@kustos/clients/testing/free-port'
import { type OpenDatabase, openDatabase } from '@kustos/database/client'
import { startEmbedded } from '@kustos/database/embedded'
import { migrate } from '@kustos/database/migrations'
import { checks, type StoredCheck, webs } from '@kustos/database/tables'
import { createContext } from '@kustos/domain/platform/context'
import { openRefreshing } from '@kustos/domain/testing/refresh-sites'
import { stop } from '../probe/machine.ts'
import { formFleet } from './fleet.ts'

interface FleetOptions {
  readonly count: number
  /** The behaviour of all sites, otherwise those of the table in turn. */
  readonly only?: string
  /** Between rounds, in seconds. */
  readonly interval: number
  readonly workers: number
  /** Where a server for Slack listens, to which the alerts of all webs go. */
  readonly slack: string
}

export interface MonitoredFleet {
  readonly fleet: ReadonlyMap<string, SiteBehaviour>
  readonly hasIpv6: boolean
  /** @param host all of them by default */
  setMinute(minute: Minute, host?: string): void
  /** Refreshes the webs whose behaviour needs it. */
  refresh(): Promise<void>
  /** Ends a worker without a warning, and starts another. */
  killWorker(index: number): void
  /** Ends Postgres without a warning, and starts it again. */
  killPostgres(): Promise<void>
  read<T>(work: (database: OpenDatabase) => Promise<T>): Promise<T>
}

/** Runs `work` while workers monitor sites that behave as in the table. They listen on ports 443 and 80 of loopback addresses. */
export async function withMonitoredFleet(
  { count, only, interval, workers: workerCount, slack }: FleetOptions,
  work: (fleet: MonitoredFleet) => Promise<void>,
): Promise<void> {
  const fleet = formFleet(count, only)
  const folder = await mkdtemp(join(tmpdir(), 'kustos-bench-'))
  const port = await freePort()
  const startPostgres = () => startEmbedded({ folder: join(folder, 'postgres'), port })
  let postgres = await startPostgres()
  const sites = fork(join(import.meta.dirname, 'sites.ts'), [
    String(count),
    ...(only === undefined ? [] : [only]),
  ])
  const workers: ChildProcess[] = []
  try {
    const [{ authority, dnsServer, hasIpv6 }] = await once(sites, 'message')
    const authorityFile = join(folder, 'authority.pem')
    await writeFile(authorityFile, authority)
    await migrate(postgres.url)
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
          SLACK_WEBHOOK_URL: `${slack}/services/T/B/x`,
        },
      })
    const read = async <T>(query: (database: OpenDatabase) => Promise<T>): Promise<T> => {
      const database = openDatabase(postgres.url, { asLogin: true })
      try {
        return await query(database)
      } finally {
        await database.close()
      }
    }
    await read((database) => insertWebs(database, fleet))
    for (let index = 0; index < workerCount; index++) workers.push(startWorker())
    await work({
      fleet,
      hasIpv6,
      setMinute: (minute, host) => void sites.send({ minute, host }),
      async refresh() {
        const refreshing = openRefreshing({ dnsServer, authority, ports: { secure: 443, plain: 80 } })
        await read((database) => refreshing.refresh(createContext(database)))
        await refreshing.close()
      },
      killWorker(index) {
        workers[index]?.kill('SIGKILL')
        workers[index] = startWorker()
      },
      async killPostgres() {
        process.kill(postgres.pid, 'SIGKILL')
        postgres = await startPostgres()
      },
      read,
    })
  } finally {
    await Promise.all([...workers, sites].map(stop))
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function insertWebs(
  { db, pool }: OpenDatabase,
  fleet: ReadonlyMap<string, SiteBehaviour>,
): Promise<void> {
  const hosts = [...fleet.keys()]
  for (let from = 0; from < hosts.length; from += 1_000) {
    const rows = await db
      .insert(webs)
      .values(
        hosts.slice(from, from + 1_000).map((fqdn) => ({
          fqdn,
          fqdn_ascii: fqdn,
          customer: 'BENCH',
          configured_ip: '127.77.0.1',
          status: 0,
          domain_status: 1,
          monitoring_web_active: true,
          monitoring_web_reporting_channel: 'slack' as const,
        })),
      )
      .returning({ id: webs.id, fqdn: webs.fqdn })
    const checked = rows.flatMap(({ id, fqdn }) => {
      const settings = fleet.get(fqdn)?.check
      return settings === undefined ? [] : [{ web_id: id, settings: settings as StoredCheck }]
    })
    if (checked.length > 0) await db.insert(checks).values(checked)
  }
  await pool.query('vacuum analyze')
}
