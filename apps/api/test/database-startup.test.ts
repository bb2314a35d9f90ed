import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@kustos/clients/testing/free-port'
import { testDatabase } from '@kustos/database/testing'
import { expect, it, onTestFinished, vi } from 'vitest'

const database = await testDatabase()

/** The database behind a port at which nobody is until it opens. */
async function lateDatabase() {
  const { hostname, port } = new URL(database.url)
  const door = createServer((caller) => {
    const postgres = connect(Number(port), hostname)
    postgres.pipe(caller).pipe(postgres)
    for (const [one, other] of [
      [caller, postgres],
      [postgres, caller],
    ] as const)
      one.on('error', () => other.destroy())
  })
  const own = await freePort()
  const url = new URL(database.url)
  url.host = `127.0.0.1:${own}`
  return {
    url: url.href,
    open: async () => {
      door.listen(own, '127.0.0.1')
      await once(door, 'listening')
    },
  }
}

/** A program of ours that begins with such a database. */
async function begin(program: string, databaseUrl: string) {
  const child = spawn(process.execPath, [fileURLToPath(new URL(program, import.meta.url))], {
    env: {
      PATH: process.env.PATH ?? '',
      DATABASE_URL: databaseUrl,
      SESSION_SECRET: 'session-secret-of-at-least-32-characters',
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      PROBE_INTERVAL: '3600',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(async () => {
    const ended = once(child, 'exit')
    if (child.exitCode === null && child.kill('SIGKILL')) await ended
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  return { child, said: () => said }
}

it.each([
  ['API', '../src/server.ts', 'Server listening'],
  ['worker', '../../worker/src/main.ts', 'worker started'],
])('makes the %s wait for a database that starts later', async (_, program, there) => {
  const late = await lateDatabase()
  const { child, said } = await begin(program, late.url)
  await vi.waitFor(() => expect(said()).toContain('ECONNREFUSED'), { timeout: 15_000 })
  await late.open()
  await vi.waitFor(() => expect(said()).toContain(there), { timeout: 15_000 })
  expect(child.exitCode).toBeNull()
})

it.each([
  ['API', '../src/server.ts'],
  ['worker', '../../worker/src/main.ts'],
])('makes the %s wait for a database whose name does not resolve yet', async (_, program) => {
  const nameless = new URL(database.url)
  nameless.hostname = 'no-such-host.invalid'
  const { child, said } = await begin(program, nameless.href)
  await vi.waitFor(() => expect(said()).toMatch(/ENOTFOUND|EAI_AGAIN/), { timeout: 15_000 })
  // One that does not wait ends with this sentence.
  await sleep(700)
  expect(said()).toContain('no-such-host.invalid')
  expect(child.exitCode).toBeNull()
})
