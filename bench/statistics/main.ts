import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { openDatabase } from '@kustos/database/client'
import { startEmbedded } from '@kustos/database/embedded'
import { migrate } from '@kustos/database/migrations'
import {
  dayAfter,
  daysFrom,
  listStatistics,
  listUptime,
  packStatistics,
  spanOf,
} from '@kustos/domain/monitoring'
import { createContext } from '@kustos/domain/platform/context'
import { runLong } from '../run-long.ts'
import { fillDay, fillWebs } from './fill-days.ts'

/**
 * Measures size and reading of statistics before and after they are packed, and checks that the answers are the same. Times are the
 * fastest of 15, since what happens before and after may find the machine at another load.
 */
const webs = Number(process.env.KUSTOS_BENCH_WEBS ?? 500)
const days = Number(process.env.KUSTOS_BENCH_DAYS ?? 14)
const rounds = 15

const today = '2026-11-20'
const [first, last] = [dayAfter(today, -days), dayAfter(today, -1)]
const folder = await mkdtemp(join(tmpdir(), 'kustos-bench-'))
const postgres = await startEmbedded({ folder: join(folder, 'postgres') })
try {
  await migrate(postgres.url)
  const database = openDatabase(postgres.url, { asLogin: true })
  const context = {
    ...createContext(database, null, () => new Date(spanOf(last).to + 4 * 3_600_000)),
    actor: null,
  }
  await fillWebs(database, webs)
  for (const day of daysFrom(first, last)) await fillDay(database, day, webs)
  await runLong(database, 'vacuum analyze')
  const before = await measure()

  const started = performance.now()
  const packed = await packStatistics(context)
  const seconds = (performance.now() - started) / 1000
  if (packed?.days.length !== days) throw new Error(`Of ${days} days ${packed?.days.length} were packed`)
  await runLong(database, 'vacuum analyze')
  const after = await measure()
  if (!isDeepStrictEqual(before.answers, after.answers)) throw new Error('Packing has changed an answer')

  const probes = (webs * (spanOf(last).to - spanOf(first).from)) / 60_000
  console.log(
    `${webs} webs, ${days} days, ${probes} probes; packed in ${seconds.toFixed(0)} s, ${((seconds / probes) * 1e6).toFixed(1)} s for a million`,
  )
  print('bytes for each probe: table', before.table / probes, after.table / probes)
  print('its indexes', before.indexes / probes, after.indexes / probes)
  for (const [name, times] of before.times)
    print(`${name}, ms`, Math.min(...times), Math.min(...(after.times.get(name) ?? [])))
  await database.close()

  async function measure() {
    const { rows } = await database.pool.query<{ table: number; indexes: number }>(`
      select sum(pg_table_size(inhrelid))::float as table, sum(pg_indexes_size(inhrelid))::float as indexes
      from pg_inherits where inhparent in ('statistics'::regclass, 'packed_statistics'::regclass)`)
    const times = new Map<string, number[]>()
    const answers: unknown[] = []
    for (let round = 0; round < rounds; round++) {
      const web = 1 + ((round * 137) % webs)
      const noon = new Date(spanOf(dayAfter(first, round % days)).from + 12 * 3_600_000).toISOString()
      // Its days are not rolled up, so they are counted from its probes.
      await timed('uptime of one web, a day', () => listUptime(context, { web, begin: last, end: last }))
      await timed('uptime of one web, all days', () => listUptime(context, { web, begin: first, end: last }))
      await timed('1,000 probes of one web', () => listStatistics(context, { web, before: noon }))
      await timed('1,000 probes of all webs, at a past noon', () => listStatistics(context, { before: noon }))
    }
    return { table: rows[0]?.table ?? 0, indexes: rows[0]?.indexes ?? 0, times, answers }

    async function timed(name: string, read: () => Promise<unknown>): Promise<void> {
      const begun = performance.now()
      answers.push(await read())
      times.set(name, [...(times.get(name) ?? []), performance.now() - begun])
    }
  }
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

function print(name: string, before: number, after: number): void {
  const [unpacked, packed, ratio] = [before, after, before / after].map((value) =>
    value.toFixed(1).padStart(8),
  )
  console.log(`${name.padEnd(44)} ${unpacked} ${packed} ${ratio} times`)
}
