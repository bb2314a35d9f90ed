import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { testDatabase } from '@kustos/database/testing'
import { expect, onTestFinished, test } from 'vitest'
import { end } from './working.ts'

const database = await testDatabase()
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** Runs a worker until it ends of itself. */
async function run(variables: Readonly<Record<string, string>>, ...args: string[]) {
  const child = spawn(process.execPath, [...args, main], {
    env: { PATH: process.env.PATH ?? '', DATABASE_URL: database.url, PROBE_INTERVAL: '3600', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(async () => void (await end(child, 'SIGKILL')))
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    said.stdout += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    said.stderr += chunk.toString()
  })
  const [code] = await once(child, 'close')
  return { code, ...said }
}

test('logs why it crashed, without secrets', async () => {
  // Thrown where nobody catches, once the worker has taken its name.
  const fault = `setInterval(() => {
    if (process.title === 'kustos-worker') throw new Error('Cannot reach ' + process.env.BITBUCKET_TOKEN)
  }, 10)`
  const ended = await run(
    { BITBUCKET_TOKEN: 'bitbucket-secret-token' },
    '--import',
    `data:text/javascript,${encodeURIComponent(fault)}`,
  )
  expect(ended).toMatchObject({ code: 1, stderr: '' })
  expect(JSON.parse(ended.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
    level: 60,
    msg: 'uncaught exception',
    err: { message: 'Cannot reach [secret]' },
  })
  expect(ended.stdout).not.toContain('bitbucket-secret-token')
})

test('refuses to start if METRICS_PORT is in use', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  const ended = await run({ METRICS_PORT: String(port) })
  expect(ended.code).toBe(1)
  expect(ended.stderr).toMatch(new RegExp(`^Cannot show metrics on port ${port}: .*EADDRINUSE`))
  expect(ended.stdout).toBe('')
})
