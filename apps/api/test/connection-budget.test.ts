import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '@kustos/database/embedded'
import { migrate } from '@kustos/database/migrations'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { startProgram } from './start-program.ts'

const folder = await mkdtemp(join(tmpdir(), 'kustos-connections-'))
// Three are reserved for superusers, and one may not have been closed yet after migrations.
const postgres = await startEmbedded({ folder, durable: false, settings: { max_connections: 19 } })
afterAll(async () => {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})
await migrate(postgres.url)

/** Those of events and queues are 5 of an API, and 8 of a worker that takes one queue. */
describe.each([
  ['api', 'Server listening', 10],
  ['worker', 'worker started', 7],
] as const)('the %s that starts', (program, started, connections) => {
  const start = async (max: number) => {
    const { child, readOutput } = await startProgram(program, postgres.url, {
      DATABASE_CONNECTIONS: String(max),
      WORKER_QUEUES: 'periodic',
    })
    await vi.waitFor(() => expect(readOutput()).toContain(started), { timeout: 60_000 })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill()
    await ended
    return readOutput()
  }
  const warning = 'Postgres allows fewer connections'

  it('may need all connections that Postgres allows', async () => {
    expect(await start(connections)).not.toContain(warning)
  })

  it('warns if it may need more', async () => {
    expect(await start(connections + 2)).toContain(warning)
  })
})
