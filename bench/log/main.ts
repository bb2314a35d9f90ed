import { logsRoutes } from '@kustos/contract/logs'
import { withApi } from '../api.ts'
import { median } from '../median.ts'
import { runLong } from '../run-long.ts'
import { fillLog } from './fill-log.ts'
import { createPages } from './pages.ts'
import { measureInserts, measureSearches } from './searches.ts'

/** Measures pages of a long audit log over HTTP against a baseline, and prints their query plans; then searches. */
const entries = Number(process.env.KUSTOS_BENCH_ENTRIES ?? 1_000_000)
const rounds = 15

await withApi(2_000, async ({ database, get, startBaseline }) => {
  const fixture = await fillLog(database, entries)
  await runLong(database, 'vacuum analyze log_entries')
  const baseline = await startBaseline('log/baseline.ts')
  const { rows: sizes } = await database.pool.query<{
    table: string
    indexes: string
    words: string
    count: number
  }>(`
    select pg_size_pretty(sum(pg_table_size(relid))) as table, pg_size_pretty(sum(pg_indexes_size(relid))) as indexes,
      pg_size_pretty((select sum(pg_relation_size(relid)) from pg_partition_tree('log_entries_by_words'))) as words,
      (select count(*)::int from log_entries) as count
    from pg_partition_tree('log_entries')`)
  console.log(
    `${sizes[0]?.count} entries: ${sizes[0]?.table}, their indexes ${sizes[0]?.indexes}, that of the words ${sizes[0]?.words}\n`,
  )
  await measureSearches({ database, get }, fixture)
  console.log(`\n${'medians of 15, slowest'.padEnd(36)}       ms  slowest baseline        KiB`)
  for (const { name, query, rows } of createPages(fixture)) {
    const times: number[] = []
    const baselineTimes: number[] = []
    let bytes = 0
    for (let round = 0; round < rounds + 2; round++) {
      const started = performance.now()
      bytes = (await get(`${logsRoutes.listLogs.path}?${query}`)).bytes
      const between = performance.now()
      await baseline(`/?${new URLSearchParams({ rows })}`)
      if (round < 2) continue
      times.push(between - started)
      baselineTimes.push(performance.now() - between)
    }
    const shown = [median(times), Math.max(...times), median(baselineTimes)].map((time) =>
      time.toFixed(1).padStart(8),
    )
    console.log(
      `${name.padEnd(36)} ${shown.join(' ')} ${(bytes / 1024).toFixed(0).padStart(10)}  ${await explainQuery(rows)}`,
    )
  }
  await measureInserts(database)

  /** The scan that reads the rows, and the sort above it if there is one. */
  async function explainQuery(rows: string): Promise<string> {
    const { rows: lines } = await database.pool.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, timing off) ${rows}`,
    )
    return lines
      .map((line) => line['QUERY PLAN'])
      .filter((line) => /Scan|Sort {2}|Filter/.test(line))
      .map((line) =>
        line
          .replace(/\(cost.*?\)|->|\(actual /g, '')
          .replace(/\s+/g, ' ')
          .trim(),
      )
      .join(' < ')
  }
})
