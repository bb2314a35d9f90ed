import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { testDatabase } from '@kustos/database/testing'
import { expect, onTestFinished, test } from 'vitest'
import { end } from './worker-environment.ts'

const database = await testDatabase()
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** Runs a worker until it exits by itself. */
async function run(variables: Readonly<Record<string, string>>, ...args: string[]) {
  const child = spawn(process.execPath, [...args, main], {
    env: {
      PATH: process.env.PATH ?? '',
      ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
      DATABASE_URL: database.url,
      PROBE_INTERVAL: '3600',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(async () => void (await end(child, 'SIGKILL')))
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    output.stdout += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    output.stderr += chunk.toString()
  })
  const [code] = await once(child, 'close')
  return { code, ...output }
}

test('logs why it crashed, without secrets', async () => {
  // Throws outside of any handler once the worker has set its process title.
  const fault = `setInterval(() => {
    if (process.title === 'kustos-worker') throw new Error('Cannot reach ' + process.env.BITBUCKET_TOKEN)
  }, 10)`
  const result = await run(
    { BITBUCKET_TOKEN: 'bitbucket-secret-token' },
    '--import',
    `data:text/javascript,${encodeURIComponent(fault)}`,
  )
  expect(result).toMatchObject({ code: 1, stderr: '' })
  expect(JSON.parse(result.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
    level: 60,
    msg: 'uncaught exception',
    err: { message: 'Cannot reach [secret]' },
  })
  expect(result.stdout).not.toContain('bitbucket-secret-token')
})

test('refuses to start if METRICS_PORT is in use', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  const result = await run({ METRICS_PORT: String(port) })
  expect(result.code).toBe(1)
  expect(result.stderr).toMatch(new RegExp(`^Cannot show metrics on port ${port}: .*EADDRINUSE`))
  expect(result.stdout).toBe('')
})
