import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@kustos/clients/testing/free-port'
import { testDatabase } from '@kustos/database/testing'
import { expect, it, vi } from 'vitest'
import { startProgram } from './start-program.ts'

const database = await testDatabase()

/** A proxy to the database that does not listen until `open` is called. */
async function createLateDatabase() {
  const { hostname, port } = new URL(database.url)
  const proxy = createServer((client) => {
    const postgres = connect(Number(port), hostname)
    postgres.pipe(client).pipe(postgres)
    for (const [one, other] of [
      [client, postgres],
      [postgres, client],
    ] as const)
      one.on('error', () => other.destroy())
  })
  const proxyPort = await freePort()
  const url = new URL(database.url)
  url.host = `127.0.0.1:${proxyPort}`
  return {
    url: url.href,
    open: async () => {
      proxy.listen(proxyPort, '127.0.0.1')
      await once(proxy, 'listening')
    },
  }
}

it.each([
  ['api', 'Server listening'],
  ['worker', 'worker started'],
] as const)('the %s waits for a database that starts later', async (program, message) => {
  const late = await createLateDatabase()
  const { child, readOutput } = await startProgram(program, late.url)
  await vi.waitFor(() => expect(readOutput()).toContain('ECONNREFUSED'), { timeout: 60_000 })
  await late.open()
  await vi.waitFor(() => expect(readOutput()).toContain(message), { timeout: 60_000 })
  expect(child.exitCode).toBeNull()
})

it.each(['api', 'worker'] as const)(
  'the %s waits for a database whose name does not resolve yet',
  async (program) => {
    const url = new URL(database.url)
    url.hostname = 'no-such-host.invalid'
    const { child, readOutput } = await startProgram(program, url.href)
    await vi.waitFor(() => expect(readOutput()).toMatch(/ENOTFOUND|EAI_AGAIN/), { timeout: 60_000 })
    // A program that does not wait exits within this time.
    await sleep(700)
    expect(readOutput()).toContain('no-such-host.invalid')
    expect(child.exitCode).toBeNull()
  },
)

it('the API stores how long the audit log is kept, and no limit once that is no longer set', async () => {
  const readRetention = async () =>
    (await database.pool.query('select retention_months from log_settings')).rows
  const start = async (variables: NodeJS.ProcessEnv) => {
    const { child, readOutput } = await startProgram('api', database.url, variables)
    await vi.waitFor(() => expect(readOutput()).toContain('Server listening'), { timeout: 60_000 })
    const ended = once(child, 'exit')
    child.kill()
    await ended
  }
  await start({ AUDIT_RETENTION: '3 years', AUDIT_ARCHIVE_DIR: '/no/such/folder' })
  expect(await readRetention()).toEqual([{ retention_months: 36 }])
  await start({})
  expect(await readRetention()).toEqual([{ retention_months: null }])
})

it('a worker does not start without the folder of the archives', async () => {
  const { child, readOutput } = await startProgram('worker', database.url, {
    AUDIT_ARCHIVE_DIR: '/no/such/folder',
  })
  await once(child, 'exit')
  expect(child.exitCode).toBe(1)
  expect(readOutput()).toMatch(/^The folder of AUDIT_ARCHIVE_DIR cannot be written to: .*\/no\/such\/folder/)
})
