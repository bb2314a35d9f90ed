import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { administrator, type Person, people, signInAs } from './people.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Starts the console as `npm start` does, with data of its own, and signs everybody in once. Ends it after the last
 * walk. Where KUSTOS_URL names a console that runs already, that one is walked through.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'kustos-e2e-'))
  const given = process.env.KUSTOS_URL
  const system = given ? null : await start(join(folder, 'data'))
  const end = async () => {
    try {
      if (system !== null) await stop(system)
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  }
  try {
    process.env.KUSTOS_URL = given ?? system?.url ?? ''
    process.env.KUSTOS_SESSIONS = folder
    process.env.KUSTOS_E2E_POSTGRES = system === null ? '' : join(folder, 'data', 'postgres')
    for (const person of [administrator, ...people]) await keepSession(person)
  } catch (error) {
    await end()
    throw error
  }
  return end
}

/** The file of a person's session, for `storageState`. */
export const sessionOf = (person: Person): string =>
  join(process.env.KUSTOS_SESSIONS ?? '', `${person.email}.json`)

async function keepSession(person: Person): Promise<void> {
  const api = await signInAs(person, process.env.KUSTOS_URL ?? '')
  await api.storageState({ path: sessionOf(person) })
  await api.dispose()
}

/** The part of host names that walks have as the operator's own: it is in one of the sandbox's, which is online. */
export const internalMarker = 'intranet.'

interface System {
  readonly url: string
  readonly process: ChildProcess
  readonly output: () => string
}

async function start(data: string): Promise<System> {
  const port = await freePort()
  const child = spawn(process.execPath, ['apps/sandbox/src/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      // A developer's own database is none to walk in.
      DATABASE_URL: '',
      SESSION_SECRET: '',
      INTERNAL_DOMAIN_MARKER: internalMarker,
      TRUST_PROXY: '',
      KUSTOS_SANDBOX_WEBS: '',
      // As often as it may be: walks wait for what a round sees.
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

/** Asks it to end as Ctrl-C does. @throws where it does not end in order, or takes longer than it promises */
async function stop({ process: child, output }: System): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGINT')
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
  const [code, signal] = await exit
  clearTimeout(late)
  if (code !== 0) throw new Error(`The console ended with ${code ?? signal} instead of 0:\n${output()}`)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address
          ? resolve(address.port)
          : reject(new Error('There is no free port.')),
      )
    })
  })
}
