import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from '../median.ts'
import {
  atOnce,
  type Contestant,
  type Lap,
  lap,
  memoryOf,
  startBlackbox,
  startNodeClient,
} from './contestants.ts'
import { type EngineRound, measureEngine } from './engine.ts'
import { placed } from './machine.ts'
import { startWorld } from './world.ts'

/** Probing beside a bare undici loop and blackbox_exporter, in one run, over the same webs. Prints and judges nothing. */
const webs = Number(process.env.KUSTOS_BENCH_WEBS ?? 10_000)
const laps = 3
/** Of the whole engine; each lasts its minute. */
const rounds = 2
const minute = 60_000

const folder = await mkdtemp(join(tmpdir(), 'kustos-bench-'))
const world = await startWorld(folder)
const contestants: Contestant[] = []
try {
  console.log(`Probes of ${webs} webs over TLS, pages of 20 KB, from ${world.server}; ${placed}`)
  const ours = await startNodeClient('our prober', 'ours', world)
  contestants.push(ours)
  contestants.push(await startNodeClient('undici, bare', 'undici', world))
  contestants.push(await startNodeClient('undici, sessions resumed', 'undici-resumed', world))
  const blackbox = await startBlackbox(folder, world)
  if (blackbox === null)
    console.log('blackbox_exporter is not installed (Debian: prometheus-blackbox-exporter)')
  else contestants.push(blackbox)

  const fast = await compete()
  // A round of ours is spread over its minute, and who wakes up for each probe alone has nothing in the processor's caches.
  const spread = new Map<Contestant, Lap>()
  for (const contestant of blackbox === null ? [ours] : [ours, blackbox])
    spread.set(contestant, await lap(contestant, webs, { spread: minute }))

  console.log(`\n${atOnce} at a time, medians of ${laps}, and once spread over a minute`)
  console.log('                              a second   a CPU s   the first   over a minute   peak memory')
  for (const contestant of contestants) {
    const [first, ...later] = fast.get(contestant) ?? []
    const columns = [
      whole(median(later.map(({ perSecond }) => perSecond)), 10),
      whole(perCpuSecond(later), 10),
      whole(first?.perCpuSecond ?? 0, 12),
      spread.has(contestant) ? whole(spread.get(contestant)?.perCpuSecond ?? 0, 16) : ''.padStart(16),
      whole(await memoryOf(contestant), 10),
    ]
    console.log(`${contestant.name.padEnd(28)}${columns.join('')} MiB`)
  }
  console.log('\nprobes for each CPU second, ours / theirs')
  for (const contestant of contestants.slice(1)) {
    const [, ...theirs] = fast.get(contestant) ?? []
    const [, ...own] = fast.get(ours) ?? []
    const ratios = theirs.map((one, at) => (own[at]?.perCpuSecond ?? 0) / one.perCpuSecond)
    const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
    console.log(`${contestant.name.padEnd(28)}${median(ratios).toFixed(2)}  (${range})`)
  }

  for (const contestant of contestants.splice(0)) await contestant.stop()
  const engine = await measureEngine(folder, world, webs, rounds)
  console.log('\nthe whole engine: a worker and Postgres, everything stored, a round a minute')
  for (const round of engine.rounds) console.log(sentenceOf(round))
  console.log(`the worker's peak memory: ${Math.round(engine.memory)} MiB (target: under 400 MiB)`)
  if (blackbox !== null) {
    const own = median(engine.rounds.map(({ stored, cpu }) => stored / cpu))
    const [, ...theirs] = fast.get(blackbox) ?? []
    const ratio = (own / perCpuSecond(theirs)).toFixed(2)
    const alike = (own / (spread.get(blackbox)?.perCpuSecond ?? 0)).toFixed(2)
    console.log(
      `its probes for each CPU second / blackbox_exporter's: ${ratio} (target: at least 1.2), ${alike} where that is spread over a minute too`,
    )
  }
} finally {
  for (const contestant of contestants) await contestant.stop()
  await world.stop()
  await rm(folder, { recursive: true, force: true })
}

/** @returns of each contestant's laps the first one first, where nobody has a session yet, and nothing is compiled */
async function compete(): Promise<Map<Contestant, Lap[]>> {
  const seen = new Map(contestants.map((contestant): [Contestant, Lap[]] => [contestant, []]))
  // One after the other, again and again: what else the machine does meets all of them alike.
  for (let round = 0; round <= laps; round++) {
    for (const [contestant, all] of seen) all.push(await lap(contestant, webs, { atOnce }))
  }
  return seen
}

function perCpuSecond(all: readonly Lap[]): number {
  return median(all.map((one) => one.perCpuSecond))
}

function sentenceOf({ stored, failed, seconds, cpu, postgresCpu }: EngineRound): string {
  return [
    `${stored} stored, ${failed} of them failed, the last one begun after ${seconds.toFixed(1)} s`,
    `the worker ${cpu.toFixed(1)} CPU s, ${Math.round(stored / cpu)} probes for each`,
    `Postgres ${postgresCpu.toFixed(1)} CPU s`,
  ].join('; ')
}

function whole(value: number, width: number): string {
  return Math.round(value).toString().padStart(width)
}
