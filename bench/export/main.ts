import { gridStateToQuery, initialGridState } from '@kustos/contract/grid'
import { urlOf } from '@kustos/contract/route'
import { usersRoutes } from '@kustos/contract/users'
import { webColumns, websRoutes } from '@kustos/contract/webs'
import { type Answer, withApi } from '../api.ts'
import { median } from '../median.ts'
import { peakMemory, requirePid } from '../process.ts'

/** Measures the export of the web list with every column against the library alone, and prints figures. */
const webs = Number(process.env.KUSTOS_SANDBOX_WEBS ?? 10_000)
const rounds = 7
const everyColumn = gridStateToQuery({ ...initialGridState, sets: webColumns.sets.map((set) => set.key) })
const exportPath = urlOf(websRoutes.exportWebs, {}, Object.fromEntries(everyColumn))
/** The tracking list, whose rows are the largest. */
const trackingPath = urlOf(websRoutes.exportTracking, {}, {})

await withApi(webs, async ({ child, get, startBaseline }) => {
  const before = Math.round(await peakMemory(requirePid(child)))
  const baseline = await startBaseline('export/baseline.ts')
  const steps: Record<string, () => Promise<Answer>> = {
    'the library alone (baseline)': () => baseline('/'),
    export: () => get(exportPath),
  }
  const times = new Map(Object.keys(steps).map((name) => [name, [] as number[]]))
  const idle: number[] = []
  const duringExport: number[] = []
  const sizes = new Map<string, number>()
  await sendOtherRequests(idle, async () => new Promise((resolve) => setTimeout(resolve, 5_000)))
  for (let round = 0; round < rounds + 1; round++) {
    for (const [name, step] of Object.entries(steps)) {
      const started = performance.now()
      const write = async () => {
        sizes.set(name, (await step()).bytes)
      }
      // The baseline is measured without other requests, and so is the export in every second round.
      if (name === 'export' && round % 2 === 1) await sendOtherRequests(duringExport, write)
      else await write()
      if (round > 0 && (name !== 'export' || round % 2 === 0))
        times.get(name)?.push(performance.now() - started)
    }
  }
  const medianOf = (name: string) => median(times.get(name) ?? [])
  console.log(`${webs} webs, every column\n`)
  for (const name of times.keys()) {
    console.log(
      `${name.padEnd(28)} ${medianOf(name).toFixed(0).padStart(6)} ms ${((sizes.get(name) ?? 0) / 2 ** 20).toFixed(2).padStart(6)} MiB`,
    )
  }
  console.log(
    `\nexport / the library alone    ${(medianOf('export') / medianOf('the library alone (baseline)')).toFixed(2)}  (target: at most 1.5)`,
  )
  console.log(
    `other requests, p99           ${p99(duringExport)} ms duringExport (target: under 100), ${p99(idle)} ms without an export`,
  )
  console.log(
    `the API's peak memory         ${Math.round(await peakMemory(requirePid(child)))} MiB since its start (target: under 400), ${before} MiB before any export`,
  )
  for (let round = 0; round < rounds; round++) await get(trackingPath)
  console.log(`after exports of tracking     ${Math.round(await peakMemory(requirePid(child)))} MiB`)

  /** Sends small requests one after the other until the work is done, and records how long each takes. */
  async function sendOtherRequests(timesMs: number[], work: () => Promise<void>): Promise<void> {
    let working = true
    const done = work().finally(() => {
      working = false
    })
    while (working) {
      const started = performance.now()
      await get(usersRoutes.currentUser.path)
      timesMs.push(performance.now() - started)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await done
  }
})

function p99(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b)
  return (sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN).toFixed(1)
}
