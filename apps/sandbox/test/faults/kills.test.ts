import { describe, expect, test } from 'vitest'
import { backends } from './backends.ts'
import { killAtRandom } from './kill-at-random.ts'
import { startSystem } from './system-under-faults.ts'

/** The total number, half of them with the jobs in Redis (`pnpm test:faults --kills 200 --seed 7`). */
const kills = Number(process.env.KUSTOS_FAULTS_KILLS ?? 10)
const seed = Number(process.env.KUSTOS_FAULTS_SEED ?? 2026)
const killsPerBackend = Math.ceil(kills / backends.length)

const print = (line: string) => void process.stderr.write(`${line}\n`)

/** A kill takes seconds, and settling after ten of them up to three minutes. */
const timeoutMs = 180_000 + killsPerBackend * 30_000

describe('random kills lose, repeat and leak nothing', () => {
  test.for(backends)('with the jobs in %s', { timeout: timeoutMs }, async (backend) => {
    const { report, ...found } = await killAtRandom({
      name: backend,
      start: () => startSystem(backend),
      kills: killsPerBackend,
      seed,
      print,
    })
    for (const line of report) print(`${backend}: ${line}`)
    expect(found).toEqual({ lost: [], duplicated: [], stuck: [], violations: [] })
  })
})
