import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '@kustos/clients/testing/free-port'
import { onTestFinished } from 'vitest'

const programs = { api: '../src/server.ts', worker: '../../worker/src/main.ts' }

/** Starts the API or a worker with this database, until the end of the test. */
export async function startProgram(
  program: keyof typeof programs,
  databaseUrl: string,
  variables: NodeJS.ProcessEnv = {},
) {
  const child = spawn(process.execPath, [fileURLToPath(new URL(programs[program], import.meta.url))], {
    env: {
      PATH: process.env.PATH ?? '',
      ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
      DATABASE_URL: databaseUrl,
      SESSION_SECRET: 'session-secret-of-at-least-32-characters',
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      PROBE_INTERVAL: '3600',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(async () => {
    const ended = once(child, 'exit')
    if (child.exitCode === null && child.kill('SIGKILL')) await ended
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  return { child, readOutput: () => output }
}
