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
  /** Its standard output so far. */
  output(): string
}

export interface ExitResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export type Settings = Readonly<Record<string, string>>

function launch(settings: Settings) {
  const child = spawn(process.execPath, ['apps/sandbox/start.js'], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: '', SESSION_SECRET: '', KUSTOS_SANDBOX_WEBS: '', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const text = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text.stdout += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    text.stderr += chunk
  })
  return { child, text }
}

/** Starts the sandbox like `npm start` and waits until it is ready. */
export async function startSandbox(settings: Settings): Promise<Sandbox> {
  const { child, text } = launch(settings)
  while (!/^(Kustos is|The simulated services are) ready/m.test(text.stdout)) {
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

/** Starts a sandbox and waits for its exit. */
export async function startExpectingFailure(settings: Settings): Promise<ExitResult> {
  const { child, text } = launch(settings)
  const [code] = await once(child, 'close')
  return { code, ...text }
}

/** @returns the milliseconds until its exit */
export async function stopSandbox(sandbox: Sandbox, signal: NodeJS.Signals): Promise<number> {
  const started = performance.now()
  const exited = once(sandbox.process, 'exit')
  sandbox.process.kill(signal)
  await exited
  return performance.now() - started
}

/** As the text of a setting. */
export const freePort = async (): Promise<string> => String(await anyPort())

/** A temporary data folder. Its removal kills all programs that still use it. */
export async function createDataFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'kustos-start-'))
  return {
    path,
    async remove() {
      for (const { pid } of await listProcesses(path)) process.kill(pid, 'SIGKILL')
      await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
  }
}

interface Process {
  readonly pid: number
  readonly program: 'supervisor' | 'api' | 'worker' | 'postgres' | 'other'
}

/**
 * The programs that use a data folder: those with it in their environment, and its Postgres. What a program has just forked is
 * `other`: it has its parent's command until it executes its own.
 */
export async function listProcesses(folder: string): Promise<Process[]> {
  const found: (Process & { readonly parent: number })[] = []
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const read = (name: string) => readFile(`/proc/${entry}/${name}`, 'utf8').catch(() => '')
    const command = await read('cmdline')
    const environment = await read('environ')
    if (!command.includes(folder) && !environment.includes(`KUSTOS_DATA_DIR=${folder}`)) continue
    const parent = Number(/^PPid:\s*(\d+)$/m.exec(await read('status'))?.[1])
    found.push({ pid: Number(entry), program: identifyProgram(command), parent })
  }
  return found.map(({ pid, program, parent }) => {
    const isForked = found.some((other) => other.pid === parent && other.program === program)
    return { pid, program: isForked ? 'other' : program }
  })
}

/** By its process title, or by its script until it has set the title. */
function identifyProgram(command: string): Process['program'] {
  if (/kustos-api|apps\/api\//.test(command)) return 'api'
  if (/kustos-worker|apps\/worker\//.test(command)) return 'worker'
  if (/\/bin\/postgres\0/.test(command)) return 'postgres'
  return /^kustos\0|apps\/sandbox\//.test(command) ? 'supervisor' : 'other'
}

/** @returns the process id, or null if the program does not run */
export async function findPid(folder: string, program: Process['program']): Promise<number | null> {
  const processes = await listProcesses(folder)
  return processes.find((process) => process.program === program)?.pid ?? null
}

/** The kernel's clock, in hundredths of a second since the machine was started. */
export const readUptime = async (): Promise<number> =>
  Math.round(Number((await readFile('/proc/uptime', 'utf8')).split(' ')[0]) * 100)

/** When a process was started, by the same clock. */
export async function readStartTime(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // Field 22 (proc_pid_stat(5)); the second one, the command, may contain spaces and parentheses.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19])
}

/** A client that keeps cookies like a browser. */
export function createVisitor(url: string) {
  const cookies = new Map<string, string>()
  const call = async (method: string, path: string, body?: unknown, timeoutMs?: number) => {
    const token = decodeURIComponent(cookies.get('XSRF-TOKEN') ?? '')
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-xsrf-token': token,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(timeoutMs === undefined ? {} : { signal: AbortSignal.timeout(timeoutMs) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const at = pair.indexOf('=')
      cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return response
  }
  return {
    call,
    async signIn(email: string, password: string) {
      await call('GET', '/sanctum/csrf-cookie')
      return call('POST', '/api/login', { email, password })
    },
    /** The ids of the webs, whose list is checked against the contract. */
    async listWebIds(): Promise<number[]> {
      const response = await call('GET', '/api/webs')
      return webList.parse(await response.json()).data.map((web) => web.id)
    },
  }
}
