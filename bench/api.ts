import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@kustos/clients/testing/free-port'
import { type OpenDatabase, openDatabase } from '@kustos/database/client'
import { startEmbedded } from '@kustos/database/embedded'
import { migrate } from '@kustos/database/migrations'
import { seed } from '@kustos/sandbox/seed'
import { Pool } from 'undici'

/** Of the sandbox. */
export const administrator = { email: 'admin@kustos.test', password: 'kustos-sandbox' }

/** The API in its own process, configured as in production, with the sandbox's webs. */
export interface RunningApi {
  readonly database: OpenDatabase
  readonly child: ChildProcess
  readonly origin: string
  /** @throws where the response is neither 200 nor 304 */
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  /** Starts another server of the same database in its own process. @param file relative to this folder */
  startBaseline(file: string): Promise<(path: string) => Promise<Answer>>
}

export interface Answer {
  readonly bytes: number
  readonly etag: string
}

/** Runs `work` with an API that has `webs` webs. */
export async function withApi(webs: number, work: (api: RunningApi) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'kustos-bench-'))
  const children: ChildProcess[] = []
  const pools: Pool[] = []
  const postgres = await startEmbedded({ folder: join(folder, 'postgres') })
  const open = (port: unknown) => {
    const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 8 })
    pools.push(pool)
    return pool
  }
  try {
    await migrate(postgres.url)
    const database = openDatabase(postgres.url, { asLogin: true })
    await seed(database.db, { webs })
    await database.pool.query('vacuum analyze')
    const port = await freePort()
    const environment = {
      PORT: String(port),
      SESSION_SECRET: 'only for the benchmark, never in production',
      LOG_LEVEL: 'warn',
      // As in the Dockerfile, and so is the flag below.
      MALLOC_ARENA_MAX: '1',
      MALLOC_MMAP_THRESHOLD_: '1048576',
    }
    const { child } = await start('../apps/api/src/server.ts', environment, ['--max-semi-space-size=8'])
    const api = open(port)
    const cookie = await signIn(api)
    await work({
      database,
      child,
      origin: `http://localhost:${port}`,
      get: (path, headers = {}) => get(api, path, { cookie, ...headers }),
      async startBaseline(file) {
        const baseline = open((await start(file, {})).message)
        return (path) => get(baseline, path, {})
      },
    })
    await Promise.all(pools.map((pool) => pool.close()))
    await database.close()
  } finally {
    for (const child of children) child.kill()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }

  async function start(file: string, environment: Record<string, string>, execArgv: readonly string[] = []) {
    const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
      execArgv: [...execArgv],
      env: { ...process.env, DATABASE_URL: postgres.url, ...environment },
    })
    children.push(child)
    const [message] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`${file} ended with ${code}`))),
    ])
    return { child, message: message as unknown }
  }
}

async function get(pool: Pool, path: string, headers: Record<string, string>): Promise<Answer> {
  const response = await pool.request({ path, method: 'GET', headers })
  let bytes = 0
  for await (const chunk of response.body) bytes += (chunk as Buffer).length
  if (response.statusCode !== 200 && response.statusCode !== 304)
    throw new Error(`${path}: ${response.statusCode}`)
  return { bytes, etag: String(response.headers.etag) }
}

async function signIn(pool: Pool): Promise<string> {
  const first = await pool.request({ path: '/sanctum/csrf-cookie', method: 'GET' })
  await first.body.dump()
  const cookies = (response: typeof first) =>
    [response.headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';')[0] ?? '')
  const token =
    cookies(first)
      .find((cookie) => cookie.startsWith('XSRF-TOKEN='))
      ?.slice('XSRF-TOKEN='.length) ?? ''
  const response = await pool.request({
    path: '/api/login',
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      cookie: cookies(first).join('; '),
      'x-xsrf-token': decodeURIComponent(token),
    },
    body: JSON.stringify(administrator),
  })
  await response.body.dump()
  if (response.statusCode !== 204) throw new Error(`The sign-in failed with ${response.statusCode}`)
  return cookies(response).join('; ')
}
