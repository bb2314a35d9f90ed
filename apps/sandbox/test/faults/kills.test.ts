import { describe, expect, test } from 'vitest'
import { killAtRandom } from './killing.ts'
import { hasRedis } from './redis-program.ts'

/** In all, half of them with the jobs in Redis (`pnpm test:faults --kills 200 --seed 7`). */
const kills = Number(process.env.KUSTOS_FAULTS_KILLS ?? 10)
const seed = Number(process.env.KUSTOS_FAULTS_SEED ?? 2026)
/** Where the jobs are; one alone where it is named (`--backend redis`), which fails then where there is no Redis. */
const backends = (['postgres', 'redis'] as const).filter((backend) =>
  process.env.KUSTOS_FAULTS_BACKEND
    ? process.env.KUSTOS_FAULTS_BACKEND === backend
    : backend === 'postgres' || hasRedis,
)
const each = Math.ceil(kills / backends.length)

const say = (line: string) => void process.stderr.write(`${line}\n`)

/** A kill takes some seconds, and what follows ten of them three minutes at most. In milliseconds. */
const limit = 180_000 + each * 30_000

describe('loses, repeats and leaks nothing when programs are killed at random', () => {
  test.for(backends)('with the jobs in %s', { timeout: limit }, async (backend) => {
    const { report, ...wrong } = await killAtRandom({ backend, kills: each, seed, say })
    for (const line of report) say(`${backend}: ${line}`)
    expect(wrong).toEqual({ lost: [], doubled: [], stuck: [], broken: [] })
  })
})
