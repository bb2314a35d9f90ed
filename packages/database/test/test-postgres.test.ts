import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, rm, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { findEngine } from '../testing/engine.ts'

const testing = fileURLToPath(new URL('../testing/postgres.ts', import.meta.url))

/** Starts a test Postgres and exits on SIGTERM like vitest. */
const script = `
  const { startTestPostgres } = await import(${JSON.stringify(testing)})
  process.once('SIGTERM', () => process.exit(143))
  const { url } = await startTestPostgres(() => undefined)
  process.stdout.write(url)
  setInterval(() => undefined, 1000)`

async function startRun() {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [url] = await once(child.stdout, 'data')
  return { child, url: String(url) }
}

async function acceptsConnections(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 })
  client.on('error', () => undefined)
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  )
}

// With a container engine, a separate container of testcontainers removes the database.
const isEmbedded = (await findEngine()) === null

test.runIf(isEmbedded)('leaves no PostgreSQL behind when a run is interrupted', async () => {
  const { child, url } = await startRun()
  expect(await acceptsConnections(url)).toBe(true)
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  await sleep(200)
  expect(await acceptsConnections(url)).toBe(false)
})

test.runIf(isEmbedded && process.getuid?.() === 0)(
  'does not remove shared memory of other processes',
  async () => {
    // A process id that no process can have.
    const folder = '/dev/shm/kustos-test-2147483647-other'
    await mkdir(folder)
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await chown(folder, 54_321, 54_321)
    const { child } = await startRun()
    expect((await stat(folder)).uid).toBe(54_321)
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  },
)
