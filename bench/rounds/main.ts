import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeRound, measureEngine } from '../probe/engine.ts'
import { placement } from '../probe/machine.ts'
import { startTargetServer } from '../probe/target-server.ts'

/** Measures how many webs one worker on one core probes in an interval, everything stored. */
const webs = Number(process.env.KUSTOS_BENCH_WEBS ?? 50_000)
const interval = Number(process.env.KUSTOS_BENCH_INTERVAL ?? 60)

const folder = await mkdtemp(join(tmpdir(), 'kustos-bench-'))
const server = await startTargetServer(folder)
try {
  console.log(`Rounds of ${webs} webs every ${interval} s over TLS from ${server.program}; ${placement}`)
  const { rounds, memory } = await measureEngine(folder, server, { webs, rounds: 2, interval })
  for (const round of rounds) console.log(describeRound(round))
  console.log(`the worker's peak memory: ${Math.round(memory)} MiB`)
} finally {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}
