import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type APIRequestContext, request } from '@playwright/test'
import { freePort } from '../../packages/clients/test/free-port.ts'
import { administrator, type SeededUser, seededUsers, signInAs } from './seeded-users.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Starts the console as `npm start` does, with its own data, signs every seeded user in once and stops the console after
 * the last test. If KUSTOS_URL names a running console, that one is tested; KUSTOS_E2E_DATABASE_URL and KUSTOS_E2E_MESSAGES then
 * say where its database and the page with its messages are.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'kustos-e2e-'))
  const namedUrl = process.env.KUSTOS_URL
  const console = namedUrl ? null : await start(join(folder, 'data'))
  const end = async () => {
    try {
      if (console !== null) await stop(console)
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  }
  try {
    process.env.KUSTOS_URL = namedUrl ?? console?.url ?? ''
    process.env.KUSTOS_SESSIONS = folder
    process.env.KUSTOS_E2E_MESSAGES ??=
      /^Messages that Kustos sends here: (\S+)$/m.exec(console?.output() ?? '')?.[1] ?? ''
    process.env.KUSTOS_E2E_POSTGRES = console === null ? '' : join(folder, 'data', 'postgres')
    for (const user of [administrator, ...seededUsers]) await saveSession(user)
  } catch (error) {
    await end()
    throw error
  }
  return end
}

/** An API client with the session that the setup has opened for the user, which saves the cost of a sign-in. */
export const openApi = (user: SeededUser): Promise<APIRequestContext> =>
  request.newContext({ baseURL: process.env.KUSTOS_URL ?? '', storageState: storageStateOf(user) })

/** The file with a user's session, for `storageState`. */
export const storageStateOf = (user: SeededUser): string =>
  join(process.env.KUSTOS_SESSIONS ?? '', `${user.email}.json`)

async function saveSession(user: SeededUser): Promise<void> {
  const api = await signInAs(user, process.env.KUSTOS_URL ?? '')
  await api.storageState({ path: storageStateOf(user) })
  await api.dispose()
}

/** The marker of internal host names; one online web of the sandbox has it. */
export const internalMarker = 'intranet.'

interface RunningConsole {
  readonly url: string
  readonly process: ChildProcess
  readonly output: () => string
}

async function start(data: string): Promise<RunningConsole> {
  const port = await freePort()
  const child = spawn(process.execPath, ['apps/sandbox/src/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      // Never the developer's own database.
      DATABASE_URL: '',
      SESSION_SECRET: '',
      INTERNAL_DOMAIN_MARKER: internalMarker,
      TRUST_PROXY: '',
      KUSTOS_SANDBOX_WEBS: '',
      // The shortest interval allowed, because tests wait for rounds.
      PROBE_INTERVAL: '10',
      PORT: String(port),
      HOST: '127.0.0.1',
      KUSTOS_DATA_DIR: data,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ready = new Promise<string>((resolve, reject) => {
    const gather = (text: string) => {
      output += text
      const url = /^Kustos is ready at (\S+)/m.exec(output)?.[1]
      if (url) resolve(url)
    }
    child.stdout.setEncoding('utf8').on('data', gather)
    child.stderr.setEncoding('utf8').on('data', gather)
    child.once('error', reject)
    child.once('exit', (code) =>
      reject(new Error(`The console ended with ${code} before it was ready:\n${output}`)),
    )
    setTimeout(
      () => reject(new Error(`The console was not ready within two minutes:\n${output}`)),
      120_000,
    ).unref()
  })
  try {
    return { url: await ready, process: child, output: () => output }
  } catch (error) {
    child.kill('SIGTERM')
    throw error
  }
}

/** Stops the console as Ctrl-C does. @throws if it does not exit with 0 within 10 s */
async function stop({ process: child, output }: RunningConsole): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGINT')
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
  const [code, signal] = await exit
  clearTimeout(late)
  if (code !== 0) throw new Error(`The console ended with ${code ?? signal} instead of 0:\n${output()}`)
}
