import { gridStateToQuery, initialGridState } from '@kustos/contract/grid'
import { logsRoutes } from '@kustos/contract/logs'
import { monitoringRoutes } from '@kustos/contract/monitoring'
import { queueRoutes } from '@kustos/contract/queue'
import { tableType, urlOf } from '@kustos/contract/route'
import { webColumns, websRoutes } from '@kustos/contract/webs'
import { type RunningApi, withApi } from '../api.ts'
import { fillLog } from '../log/fill-log.ts'
import { median } from '../median.ts'
import { peakMemory, requirePid, resetPeakMemory } from '../process.ts'
import { runLong } from '../run-long.ts'

/** Measures what grows with the number of webs at three sizes, and prints each figure and its growth. */
const sizes = (process.env.KUSTOS_BENCH_SIZES ?? '1000,10000,100000').split(',').map(Number)
const rounds = 5
const logEntriesPerWeb = 5

const everyColumn = gridStateToQuery({ ...initialGridState, sets: webColumns.sets.map((set) => set.key) })
const exportPath = urlOf(websRoutes.exportWebs, {}, Object.fromEntries(everyColumn))

type Figures = Map<string, number>

const measured: Figures[] = []
for (const webs of sizes) {
  console.error(`${webs} webs …`)
  await withApi(webs, async (api) => {
    measured.push(await measure(api, webs))
  })
}
printTable(measured)

async function measure({ database, child, get }: RunningApi, webs: number): Promise<Figures> {
  const pid = requirePid(child)
  const figures: Figures = new Map()
  const { web } = await fillLog(database, webs * logEntriesPerWeb)
  await runLong(database, 'vacuum analyze log_entries')

  const changeOne = () =>
    database.pool.query("update webs set comment = 'Changed', updated_at = now() where id = $1", [web])

  await measureList('list for the console', { accept: tableType })
  await measureList('list', {})

  await resetPeakMemory(pid)
  figures.set('export, ms', await medianMs(() => get(exportPath)))
  figures.set('export: peak memory, MiB', await peakMemory(pid))

  for (const [name, path] of [
    ['monitoring list, ms', monitoringRoutes.listMonitoredWebs.path],
    ['dashboard: state of monitoring, ms', monitoringRoutes.readMonitoring.path],
    ['dashboard: queue, ms', queueRoutes.listJobs.path],
    ['scrape of /metrics, ms', '/metrics'],
    ['log, first page, ms', logsRoutes.listLogs.path],
    ['log of one web, ms', urlOf(logsRoutes.listLogs, {}, { subject_type: 'web', subject_id: web })],
  ] as const)
    figures.set(name, await medianMs(() => get(path)))
  return figures

  async function measureList(name: string, headers: Record<string, string>): Promise<void> {
    const list = (more: Record<string, string> = {}) => get(websRoutes.listWebs.path, { ...headers, ...more })
    const compressed = () => list({ 'accept-encoding': 'zstd' })
    await resetPeakMemory(pid)
    const { bytes, etag } = await list()
    figures.set(`${name}, MiB`, bytes / 2 ** 20)
    figures.set(`${name}, zstd, MiB`, (await compressed()).bytes / 2 ** 20)
    figures.set(`${name}, unchanged (304), ms`, await medianMs(() => list({ 'if-none-match': etag })))
    figures.set(`${name}, after a change, ms`, await medianMs(list, changeOne))
    figures.set(`${name}, after a change, zstd, ms`, await medianMs(compressed, changeOne))
    figures.set(`${name}: peak memory, MiB`, await peakMemory(pid))
  }
}

/** @returns NaN where a request fails, which is a figure too */
async function medianMs(step: () => Promise<unknown>, prepare?: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    await prepare?.()
    const started = performance.now()
    try {
      await step()
    } catch (error) {
      console.error(error)
      return Number.NaN
    }
    times.push(performance.now() - started)
  }
  return median(times)
}

function printTable(all: readonly Figures[]): void {
  const header = ['', ...sizes.map((size) => size.toLocaleString('en')), 'growth, linear is 10']
  console.log(`| ${header.join(' | ')} |\n|${'---|'.repeat(header.length)}`)
  for (const name of all[0]?.keys() ?? []) {
    const values = all.map((figures) => figures.get(name) ?? Number.NaN)
    const [before, after] = values.slice(-2)
    console.log(`| ${[name, ...values.map(show), show((after ?? 0) / (before ?? 0))].join(' | ')} |`)
  }
}

function show(value: number): string {
  if (Number.isNaN(value)) return 'failed'
  return value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en')
}
