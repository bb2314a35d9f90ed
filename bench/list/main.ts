import { type Answer, withApi } from '../api.ts'
import { median } from '../median.ts'
import { peakMemory, requirePid } from '../process.ts'

/** Measures GET /api/webs against its baselines in the same run, and prints figures and ratios. */
const webs = Number(process.env.KUSTOS_SANDBOX_WEBS ?? 10_000)
const rounds = 15

await withApi(webs, async ({ database, child, get, startBaseline }) => {
  const baseline = await startBaseline('list/baselines.ts')
  const changeList = () =>
    database.pool.query("update revisions set revision = revision + 1 where list = 'webs'")
  const list = (headers: Record<string, string> = {}) => get('/api/webs', headers)
  const steps: Record<string, () => Promise<Answer>> = {
    'rows as bytes (baseline)': () => baseline('/rows'),
    'nothing cached': () => list(),
    'a ready Buffer (baseline)': () => baseline('/ready'),
    'unchanged, identity': () => list(),
    'unchanged, zstd': () => list({ 'accept-encoding': 'zstd' }),
    'unchanged, gzip': () => list({ 'accept-encoding': 'gzip' }),
  }
  const times = new Map(Object.keys(steps).map((name) => [name, [] as number[]]))
  const bytes = new Map<string, number>()
  for (let round = 0; round < rounds + 2; round++) {
    for (const [name, step] of Object.entries(steps)) {
      if (name === 'nothing cached') await changeList()
      if (name === 'unchanged, identity')
        await Promise.all([steps['unchanged, zstd']?.(), steps['unchanged, gzip']?.()])
      const started = performance.now()
      const response = await step()
      if (round >= 2) times.get(name)?.push(performance.now() - started)
      bytes.set(name, response.bytes)
    }
  }
  // Measured apart: beside responses of many MiB it would measure their garbage collection.
  const { etag } = await list()
  const unmodified: number[] = []
  for (let request = 0; request < 500; request++) {
    const started = performance.now()
    await list({ 'if-none-match': etag })
    unmodified.push(performance.now() - started)
  }
  times.set('not modified (304)', unmodified)
  const medianOf = (name: string) => median(times.get(name) ?? [])
  console.log(`GET /api/webs with ${webs} webs, one client, medians of ${rounds} rounds\n`)
  for (const name of times.keys()) {
    console.log(
      `${name.padEnd(26)} ${medianOf(name).toFixed(1).padStart(8)} ms ${mib(bytes.get(name) ?? 0).padStart(9)}`,
    )
  }
  console.log(
    `\nnothing cached / rows as bytes   ${ratio('nothing cached', 'rows as bytes (baseline)')}  (target: at most 1.3)`,
  )
  console.log(
    `unchanged / a ready Buffer       ${ratio('unchanged, identity', 'a ready Buffer (baseline)')}  (target: at most 3)`,
  )
  console.log(
    `304                              ${medianOf('not modified (304)').toFixed(2)} ms (target: under 3 ms)`,
  )

  const steady = await eightClients(null)
  console.log(
    `\neight clients for 10 s: ${steady} responses a second, ${await describeMemory()} (target: under 500 MiB)`,
  )
  const changing = await eightClients(500)
  console.log(`the same with a change every 0.5 s: ${changing} responses a second, ${await describeMemory()}`)

  /** @param changeIntervalMs how often the list changes meanwhile; null where it does not */
  async function eightClients(changeIntervalMs: number | null): Promise<string> {
    const until = performance.now() + 10_000
    let responses = 0
    const writer =
      changeIntervalMs === null ? undefined : setInterval(() => void changeList(), changeIntervalMs)
    await Promise.all(
      Array.from({ length: 8 }, async (_, client) => {
        while (performance.now() < until) {
          await list(client % 2 === 0 ? {} : { 'accept-encoding': 'zstd' })
          responses++
        }
      }),
    )
    clearInterval(writer)
    return (responses / 10).toFixed(1)
  }

  function ratio(name: string, baselineName: string) {
    return (medianOf(name) / medianOf(baselineName)).toFixed(2)
  }

  async function describeMemory(): Promise<string> {
    return `${Math.round(await peakMemory(requirePid(child)))} MiB at its peak`
  }
})

function mib(size: number): string {
  return `${(size / 2 ** 20).toFixed(2)} MiB`
}
