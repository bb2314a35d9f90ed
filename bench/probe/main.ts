import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from '../median.ts'
import { type Contestant, type Lap, lap, memoryOf, startBlackbox, startNodeClient } from './contestants.ts'
import { measureEngine } from './engine.ts'
import { placed } from './machine.ts'
import { startWorld } from './world.ts'

/** Probing beside a bare undici loop and blackbox_exporter, in one run, over the same webs. Prints and judges nothing. */
const webs = Number(process.env.KUSTOS_BENCH_WEBS ?? 10_000)
const laps = 5
/** Of the whole engine; each lasts its minute. */
const rounds = 2

const folder = await mkdtemp(join(tmpdir(), 'kustos-bench-'))
const world = await startWorld(folder)
const contestants: Contestant[] = []
try {
  console.log(
    `Probes of ${webs} webs over TLS, pages of 20 KB, 100 at a time, from ${world.server}; ${placed}\n`,
  )
  contestants.push(await startNodeClient('our prober', 'ours', world))
  contestants.push(await startNodeClient('undici, bare', 'undici', world))
  contestants.push(await startNodeClient('undici, sessions resumed', 'undici-resumed', world))
  const blackbox = await startBlackbox(folder, world)
  if (blackbox === null)
    console.log('blackbox_exporter is not installed (Debian: prometheus-blackbox-exporter)\n')
  else contestants.push(blackbox)

  const seen = new Map<string, Lap[]>(contestants.map(({ name }) => [name, []]))
  const first = new Map<string, Lap>()
  // One after the other, again and again: what else the machine does meets all of them alike.
  for (let round = 0; round <= laps; round++) {
    for (const contestant of contestants) {
      const measured = await lap(contestant, webs)
      // Nobody has a session yet, and what runs is not compiled yet.
      if (round === 0) first.set(contestant.name, measured)
      else seen.get(contestant.name)?.push(measured)
    }
  }

  const perCpuSecond = (name: string) => median((seen.get(name) ?? []).map((one) => one.perCpuSecond))
  console.log('medians of 5 rounds         a second  a CPU second  the first round  peak memory')
  for (const contestant of contestants) {
    const { name } = contestant
    const perSecond = median((seen.get(name) ?? []).map((one) => one.perSecond))
    const memory = await memoryOf(contestant)
    console.log(
      `${name.padEnd(26)} ${whole(perSecond, 9)} ${whole(perCpuSecond(name), 13)} ${whole(first.get(name)?.perCpuSecond ?? 0, 16)} ${whole(memory, 8)} MiB`,
    )
  }
  console.log('\nprobes for each CPU second, ours / theirs')
  for (const { name } of contestants.slice(1)) {
    const ratios = (seen.get(name) ?? []).map(
      (theirs, round) => (seen.get('our prober')?.[round]?.perCpuSecond ?? 0) / theirs.perCpuSecond,
    )
    console.log(
      `${name.padEnd(26)} ${median(ratios).toFixed(2)}  (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
    )
  }

  for (const contestant of contestants.splice(0)) await contestant.stop()
  const engine = await measureEngine(folder, world, webs, rounds)
  console.log('\nthe whole engine (a worker, Postgres, everything stored), a round a minute')
  for (const { stored, failed, seconds, cpu, postgresCpu } of engine.rounds) {
    console.log(
      `${stored} stored (${failed} failed), the last one begun after ${seconds.toFixed(1)} s; the worker ${cpu.toFixed(1)} CPU s, ${Math.round(stored / cpu)} probes for each; Postgres ${postgresCpu.toFixed(1)} CPU s`,
    )
  }
  console.log(`the worker's peak memory  ${Math.round(engine.memory)} MiB (target: under 400 MiB)`)
  if (blackbox !== null) {
    const perSecond = median(engine.rounds.map(({ stored, cpu }) => stored / cpu))
    const ratio = (perSecond / perCpuSecond(blackbox.name)).toFixed(2)
    console.log(`its probes for each CPU second / blackbox_exporter  ${ratio} (target: at least 1.2)`)
  }
} finally {
  for (const contestant of contestants) await contestant.stop()
  await world.stop()
  await rm(folder, { recursive: true, force: true })
}

function whole(value: number, width: number): string {
  return Math.round(value).toString().padStart(width)
}
