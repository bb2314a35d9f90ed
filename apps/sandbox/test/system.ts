import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort as anyPort } from '@kustos/clients/testing/free-port'
import { webList } from '@kustos/contract/webs'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export interface Sandbox {
  readonly process: ChildProcess
  readonly url: string
  /** What it has printed so far. */
  output(): string
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

type Settings = Readonly<Record<string, string>>

function launch(settings: Settings) {
  const child = spawn(process.execPath, ['apps/sandbox/start.js'], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: '', SESSION_SECRET: '', KUSTOS_SANDBOX_WEBS: '', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const text = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text.stdout += more
  })
  child.stderr.setEncoding('utf8').on('data', (more: string) => {
    text.stderr += more
  })
  return { child, text }
}

/** Starts the sandbox as `npm start` does after its installation, and waits until it says that it is ready. */
export async function startSandbox(settings: Settings): Promise<Sandbox> {
  const { child, text } = launch(settings)
  while (!/^Kustos is ready at /m.test(text.stdout)) {
    if (child.exitCode !== null)
      throw new Error(`It ended with ${child.exitCode}:\n${text.stdout}${text.stderr}`)
    await sleep(20)
  }
  return {
    process: child,
    url: `http://127.0.0.1:${settings.PORT}`,
    output: () => text.stdout,
  }
}

/** Starts a sandbox that is not going to get ready. */
export async function startInVain(settings: Settings): Promise<Ended> {
  const { child, text } = launch(settings)
  const [code] = await once(child, 'close')
  return { code, ...text }
}

/** @returns milliseconds until it had ended */
export async function end(sandbox: Sandbox, signal: NodeJS.Signals): Promise<number> {
  const started = performance.now()
  const exited = once(sandbox.process, 'exit')
  sandbox.process.kill(signal)
  await exited
  return performance.now() - started
}

/** As a setting. */
export const freePort = async (): Promise<string> => String(await anyPort())

/** A data folder of the test's own; whatever still runs on it at the end is killed. */
export async function dataFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'kustos-start-'))
  return {
    path,
    async remove() {
      for (const { pid } of await processesOf(path)) process.kill(pid, 'SIGKILL')
      await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
  }
}

interface Process {
  readonly pid: number
  readonly program: 'supervisor' | 'api' | 'worker' | 'postgres' | 'other'
}

/** Our programs that run on a data folder: those that have it in their environment, and its Postgres. */
export async function processesOf(folder: string): Promise<Process[]> {
  const found: Process[] = []
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const read = (name: string) => readFile(`/proc/${entry}/${name}`, 'utf8').catch(() => '')
    const command = await read('cmdline')
    const environment = await read('environ')
    if (!command.includes(folder) && !environment.includes(`KUSTOS_DATA_DIR=${folder}`)) continue
    found.push({ pid: Number(entry), program: programOf(command) })
  }
  return found
}

/** By its title, or by its script while it has not got so far. */
function programOf(command: string): Process['program'] {
  if (/kustos-api|apps\/api\//.test(command)) return 'api'
  if (/kustos-worker|apps\/worker\//.test(command)) return 'worker'
  if (/\/bin\/postgres\0/.test(command)) return 'postgres'
  return /^kustos\0|apps\/sandbox\//.test(command) ? 'supervisor' : 'other'
}

/** @returns the number of the one that runs */
export async function pidOf(folder: string, program: Process['program']): Promise<number | null> {
  const processes = await processesOf(folder)
  return processes.find((one) => one.program === program)?.pid ?? null
}

/** A visitor who keeps cookies, as a browser does. */
export function visitor(url: string) {
  const cookies = new Map<string, string>()
  const call = async (method: string, path: string, body?: unknown, patience?: number) => {
    const token = decodeURIComponent(cookies.get('XSRF-TOKEN') ?? '')
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-xsrf-token': token,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(patience === undefined ? {} : { signal: AbortSignal.timeout(patience) }),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const at = pair.indexOf('=')
      cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return answer
  }
  return {
    call,
    async signIn(email: string, password: string) {
      await call('GET', '/sanctum/csrf-cookie')
      return call('POST', '/api/login', { email, password })
    },
    /** The ids of the webs in the inventory, each of which is as the contract says. */
    async webs(): Promise<number[]> {
      const answer = await call('GET', '/api/webs')
      return webList.parse(await answer.json()).data.map((web) => web.id)
    },
  }
}
