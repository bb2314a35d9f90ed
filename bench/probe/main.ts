import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from '../median.ts'
import {
  type Candidate,
  concurrency,
  measureRound,
  type ProbeRates,
  readPeakMemory,
  startBlackbox,
  startNodeClient,
} from './candidates.ts'
import { describeRound, measureEngine } from './engine.ts'
import { placement } from './machine.ts'
import { startTargetServer } from './target-server.ts'

/** Measures our prober against a bare undici loop and blackbox_exporter over the same webs, in the same run. */
const webs = Number(process.env.KUSTOS_BENCH_WEBS ?? 10_000)
const rounds = 3
/** Rounds of the whole engine, each a minute long. */
const engineRounds = 2
const minuteMs = 60_000

const folder = await mkdtemp(join(tmpdir(), 'kustos-bench-'))
const server = await startTargetServer(folder)
const candidates: Candidate[] = []
try {
  console.log(`Probes of ${webs} webs over TLS, pages of 20 KB, from ${server.program}; ${placement}`)
  const ours = await startNodeClient('our prober', 'ours', server)
  candidates.push(ours)
  candidates.push(await startNodeClient('undici, bare', 'undici', server))
  candidates.push(await startNodeClient('undici, sessions resumed', 'undici-resumed', server))
  const blackbox = await startBlackbox(folder, server)
  if (blackbox === null)
    console.log('blackbox_exporter is not installed (Debian: prometheus-blackbox-exporter)')
  else candidates.push(blackbox)

  const fast = await measureCandidates()
  // The engine spreads a round over a minute; a process that wakes up for each probe finds cold processor caches.
  const spread = new Map<Candidate, ProbeRates>()
  for (const candidate of blackbox === null ? [ours] : [ours, blackbox])
    spread.set(candidate, await measureRound(candidate, webs, { spreadMs: minuteMs }))

  console.log(`\n${concurrency} at a time, medians of ${rounds}, and once spread over a minute`)
  console.log('                              a second   a CPU s   the first   over a minute   peak memory')
  for (const candidate of candidates) {
    const [first, ...later] = fast.get(candidate) ?? []
    const columns = [
      formatInteger(median(later.map(({ perSecond }) => perSecond)), 10),
      formatInteger(perCpuSecond(later), 10),
      formatInteger(first?.perCpuSecond ?? 0, 12),
      spread.has(candidate) ? formatInteger(spread.get(candidate)?.perCpuSecond ?? 0, 16) : ''.padStart(16),
      formatInteger(await readPeakMemory(candidate), 10),
    ]
    console.log(`${candidate.name.padEnd(28)}${columns.join('')} MiB`)
  }
  console.log('\nprobes for each CPU second, ours / theirs')
  for (const candidate of candidates.slice(1)) {
    const [, ...theirs] = fast.get(candidate) ?? []
    const [, ...own] = fast.get(ours) ?? []
    const ratios = theirs.map((one, at) => (own[at]?.perCpuSecond ?? 0) / one.perCpuSecond)
    const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
    console.log(`${candidate.name.padEnd(28)}${median(ratios).toFixed(2)}  (${range})`)
  }

  for (const candidate of candidates.splice(0)) await candidate.stop()
  const engine = await measureEngine(folder, server, {
    webs,
    rounds: engineRounds,
    interval: minuteMs / 1000,
  })
  console.log('\nthe whole engine: a worker and Postgres, everything stored, a round a minute')
  for (const round of engine.rounds) console.log(describeRound(round))
  console.log(`the worker's peak memory: ${Math.round(engine.memory)} MiB (target: under 400 MiB)`)
  if (blackbox !== null) {
    const own = median(engine.rounds.map(({ stored, workerCpuSeconds }) => stored / workerCpuSeconds))
    const [, ...theirs] = fast.get(blackbox) ?? []
    const ratio = (own / perCpuSecond(theirs)).toFixed(2)
    const spreadRatio = (own / (spread.get(blackbox)?.perCpuSecond ?? 0)).toFixed(2)
    console.log(
      `its probes for each CPU second / blackbox_exporter's: ${ratio} (target: at least 1.2), ${spreadRatio} with both spread over a minute`,
    )
  }
} finally {
  for (const candidate of candidates) await candidate.stop()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}

/** @returns each candidate's rounds; in the first one nothing is compiled and no TLS session can be resumed */
async function measureCandidates(): Promise<Map<Candidate, ProbeRates[]>> {
  const measured = new Map(candidates.map((candidate): [Candidate, ProbeRates[]] => [candidate, []]))
  // Candidates alternate, so that other load on the machine affects all of them alike.
  for (let round = 0; round <= rounds; round++) {
    for (const [candidate, all] of measured) all.push(await measureRound(candidate, webs, { concurrency }))
  }
  return measured
}

function perCpuSecond(all: readonly ProbeRates[]): number {
  return median(all.map((one) => one.perCpuSecond))
}

function formatInteger(value: number, width: number): string {
  return Math.round(value).toString().padStart(width)
}
