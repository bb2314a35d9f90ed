import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '@kustos/database/client'
import { startEmbedded } from '@kustos/database/embedded'
import { migrate } from '@kustos/database/migrations'
import { webs } from '@kustos/database/tables'
import { cpuSeconds, peakMemory, requirePid } from '../process.ts'
import { core, startOnCore, stop } from './machine.ts'
import { formatHost, type TargetServer } from './target-server.ts'

/** One round of the whole engine: a worker with its scheduler and Postgres, every probe stored. */
export interface EngineRound {
  readonly stored: number
  readonly failed: number
  /** From the start of the round to the start of its last probe. */
  readonly seconds: number
  readonly workerCpuSeconds: number
  readonly postgresCpuSeconds: number
}

const worker = join(import.meta.dirname, '../../apps/worker/src/main.ts')

/**
 * @param interval between rounds, in seconds
 * @returns the rounds from the second one on, and the worker's peak memory in MiB
 */
export async function measureEngine(
  folder: string,
  server: TargetServer,
  { webs: count, rounds, interval }: { webs: number; rounds: number; interval: number },
): Promise<{ readonly rounds: readonly EngineRound[]; readonly memory: number }> {
  const postgres = await startEmbedded({ folder: join(folder, 'postgres') })
  try {
    await migrate(postgres.url)
    const database = openDatabase(postgres.url, { asLogin: true })
    for (let from = 0; from < count; from += 1_000) {
      await database.db.insert(webs).values(
        Array.from({ length: Math.min(1_000, count - from) }, (_, place) => ({
          fqdn: formatHost(from + place),
          fqdn_ascii: formatHost(from + place),
          customer: 'BENCH',
          configured_ip: '192.0.2.1',
          status: 0,
          domain_status: 1,
          monitoring_web_active: true,
        })),
      )
    }
    await database.pool.query('vacuum analyze')
    const child = startOnCore(core.measured, [process.execPath, '--max-semi-space-size=8', worker], {
      env: {
        DATABASE_URL: postgres.url,
        PROBE_INTERVAL: String(interval),
        // Without the refreshes, which would find that these webs are not in DNS and end their monitoring.
        WORKER_QUEUES: 'monitoring,periodic,notification',
        CONNECT_TO: `::127.0.0.1:${server.port}`,
        PROBE_CA_FILE: server.authorityFile,
        LOG_LEVEL: 'warn',
        // As in the Dockerfile.
        MALLOC_MMAP_THRESHOLD_: '1048576',
      },
    })
    try {
      const pid = requirePid(child)
      const marks: { at: Date; cpu: number; postgresCpu: number }[] = []
      // The first whole round is left out: there are no TLS sessions to resume yet.
      for (let mark = 0; mark <= rounds + 1; mark++) {
        const at = Math.ceil(Date.now() / 1000 / interval) * interval * 1000
        await sleep(at - Date.now() + 5)
        if (mark > 0)
          marks.push({
            at: new Date(at),
            cpu: await cpuSeconds(pid),
            postgresCpu: await treeCpu(postgres.pid),
          })
      }
      // The last probes are stored a little after their round.
      await sleep(15_000)
      const measured: EngineRound[] = []
      for (const [index, mark] of marks.slice(0, -1).entries()) {
        const next = marks[index + 1] ?? mark
        const { rows } = await database.pool.query<{ stored: number; failed: number; seconds: number }>(
          `select count(*)::int as stored, (count(*) filter (where outcome <> 'up'))::int as failed,
             coalesce(extract(epoch from max(created_at) - $1), 0)::float as seconds
           from statistics where round_at = $1`,
          [mark.at],
        )
        const { stored = 0, failed = 0, seconds = 0 } = rows[0] ?? {}
        measured.push({
          stored,
          failed,
          seconds,
          workerCpuSeconds: next.cpu - mark.cpu,
          postgresCpuSeconds: next.postgresCpu - mark.postgresCpu,
        })
      }
      return { rounds: measured, memory: await peakMemory(pid) }
    } finally {
      await stop(child)
      await database.close()
    }
  } finally {
    await postgres.stop()
  }
}

export function describeRound({
  stored,
  failed,
  seconds,
  workerCpuSeconds,
  postgresCpuSeconds,
}: EngineRound): string {
  return [
    `${stored} stored, ${failed} of them failed, the last one started after ${seconds.toFixed(1)} s`,
    `the worker ${workerCpuSeconds.toFixed(1)} CPU s, ${Math.round(stored / workerCpuSeconds)} probes for each`,
    `Postgres ${postgresCpuSeconds.toFixed(1)} CPU s`,
  ].join('; ')
}

/** @returns CPU seconds of a process, its children, and those of its children that have ended */
async function treeCpu(pid: number): Promise<number> {
  const stats = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      // A process that ends meanwhile is counted with its parent.
      .map((name) => readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')),
  )
  let ticks = 0
  for (const stat of stats) {
    // proc(5): state, parent, … user, system, and the same of children that have ended.
    const fields =
      stat
        .split(/\) (?=[A-Z] )/)[1]
        ?.split(' ')
        .map(Number) ?? []
    const isItself = stat.startsWith(`${pid} `)
    if (isItself || fields[1] === pid) ticks += (fields[11] ?? 0) + (fields[12] ?? 0)
    if (isItself) ticks += (fields[13] ?? 0) + (fields[14] ?? 0)
  }
  return ticks / 100
}
