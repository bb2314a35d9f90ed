import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '@kustos/database/client'
import { startEmbedded } from '@kustos/database/embedded'
import { migrate } from '@kustos/database/migrations'
import { seed } from '@kustos/sandbox/seed'
import { Pool } from 'undici'
import { median } from '../median.ts'

/** GET /api/webs beside its floors, in one run: ratios, since the machine is shared. Prints and judges nothing. */
const webs = Number(process.env.KUSTOS_SANDBOX_WEBS ?? 10_000)
const rounds = 15
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

const folder = await mkdtemp(join(tmpdir(), 'kustos-bench-'))
const children: ChildProcess[] = []
const postgres = await startEmbedded({ folder: join(folder, 'postgres') })
try {
  await migrate(postgres.url)
  const database = openDatabase(postgres.url)
  await seed(database.db, { webs })
  await database.pool.query('vacuum analyze')

  const floors = await start('floors.ts', {})
  const port = await freePort()
  const api = await start('../../apps/api/src/server.ts', {
    PORT: String(port),
    SESSION_SECRET: 'the benchmark needs no secret worth keeping',
    LOG_LEVEL: 'warn',
    // As in the Dockerfile.
    MALLOC_MMAP_THRESHOLD_: '1048576',
  })
  const floor = new Pool(`http://127.0.0.1:${floors.message}`, { connections: 8 })
  const ours = new Pool(`http://127.0.0.1:${port}`, { connections: 8 })
  const cookie = await signIn(ours)

  const touch = () => database.pool.query("update revisions set revision = revision + 1 where list = 'webs'")
  const list = (headers: Record<string, string> = {}) => get(ours, '/api/webs', { cookie, ...headers })
  const steps: Record<string, () => Promise<{ bytes: number }>> = {
    'rows as bytes (floor)': () => get(floor, '/rows', {}),
    'nothing cached': () => list(),
    'a ready Buffer (floor)': () => get(floor, '/ready', {}),
    'unchanged, identity': () => list(),
    'unchanged, zstd': () => list({ 'accept-encoding': 'zstd' }),
    'unchanged, gzip': () => list({ 'accept-encoding': 'gzip' }),
  }
  const times = new Map(Object.keys(steps).map((name) => [name, [] as number[]]))
  const bytes = new Map<string, number>()
  for (let round = 0; round < rounds + 2; round++) {
    for (const [name, step] of Object.entries(steps)) {
      if (name === 'nothing cached') await touch()
      if (name === 'unchanged, identity')
        await Promise.all([steps['unchanged, zstd']?.(), steps['unchanged, gzip']?.()])
      const started = performance.now()
      const answer = await step()
      if (round >= 2) times.get(name)?.push(performance.now() - started)
      bytes.set(name, answer.bytes)
    }
  }
  // A block of its own: beside answers of many MiB it would measure their garbage.
  const { etag } = await list()
  const unmodified: number[] = []
  for (let request = 0; request < 500; request++) {
    const started = performance.now()
    await list({ 'if-none-match': etag })
    unmodified.push(performance.now() - started)
  }
  times.set('not modified (304)', unmodified)
  const of = (name: string) => median(times.get(name) ?? [])
  console.log(`GET /api/webs with ${webs} webs, one client, medians of ${rounds} rounds\n`)
  for (const name of times.keys()) {
    console.log(
      `${name.padEnd(26)} ${of(name).toFixed(1).padStart(8)} ms ${mib(bytes.get(name) ?? 0).padStart(9)}`,
    )
  }
  console.log(
    `\nnothing cached / rows as bytes   ${ratio('nothing cached', 'rows as bytes (floor)')}  (target: at most 1.3)`,
  )
  console.log(
    `unchanged / a ready Buffer       ${ratio('unchanged, identity', 'a ready Buffer (floor)')}  (target: at most 3)`,
  )
  console.log(
    `304                              ${of('not modified (304)').toFixed(2)} ms (target: under 3 ms)`,
  )

  const steady = await eightClients(null)
  console.log(
    `\neight clients for 10 s: ${steady} answers a second, ${await memory(api.child)} (target: under 500 MiB)`,
  )
  const changing = await eightClients(500)
  console.log(`the same with a change every 0.5 s: ${changing} answers a second, ${await memory(api.child)}`)

  /** @param every how often the list changes meanwhile, in milliseconds */
  async function eightClients(every: number | null): Promise<string> {
    const until = performance.now() + 10_000
    let answers = 0
    const writer = every === null ? undefined : setInterval(() => void touch(), every)
    await Promise.all(
      Array.from({ length: 8 }, async (_, client) => {
        while (performance.now() < until) {
          await list(client % 2 === 0 ? {} : { 'accept-encoding': 'zstd' })
          answers++
        }
      }),
    )
    clearInterval(writer)
    return (answers / 10).toFixed(1)
  }

  function ratio(name: string, floorName: string) {
    return (of(name) / of(floorName)).toFixed(2)
  }
  await Promise.all([floor.close(), ours.close()])
  await database.close()
} finally {
  for (const child of children) child.kill()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

async function start(file: string, environment: Record<string, string>) {
  const child = fork(path(file), { env: { ...process.env, DATABASE_URL: postgres.url, ...environment } })
  children.push(child)
  const [message] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`${file} ended with ${code}`))),
  ])
  return { child, message: message as unknown }
}

async function get(pool: Pool, where: string, headers: Record<string, string>) {
  const answer = await pool.request({ path: where, method: 'GET', headers })
  let size = 0
  for await (const chunk of answer.body) size += (chunk as Buffer).length
  if (answer.statusCode !== 200 && answer.statusCode !== 304)
    throw new Error(`${where}: ${answer.statusCode}`)
  return { bytes: size, etag: String(answer.headers.etag) }
}

async function signIn(pool: Pool): Promise<string> {
  const first = await pool.request({ path: '/sanctum/csrf-cookie', method: 'GET' })
  await first.body.dump()
  const cookies = (answer: typeof first) =>
    [answer.headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';')[0] ?? '')
  const token =
    cookies(first)
      .find((cookie) => cookie.startsWith('XSRF-TOKEN='))
      ?.slice('XSRF-TOKEN='.length) ?? ''
  const answer = await pool.request({
    path: '/api/login',
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      cookie: cookies(first).join('; '),
      'x-xsrf-token': decodeURIComponent(token),
    },
    body: JSON.stringify({ email: 'admin@kustos.test', password: 'kustos-sandbox' }),
  })
  await answer.body.dump()
  if (answer.statusCode !== 204) throw new Error(`The sign-in was answered with ${answer.statusCode}`)
  return cookies(answer).join('; ')
}

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net')
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('There is no free port')
  return address.port
}

/** The peak since the process began. */
async function memory(child: ChildProcess): Promise<string> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  const kib = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1])
  return `${Math.round(kib / 1024)} MiB at its peak`
}

function mib(size: number): string {
  return `${(size / 2 ** 20).toFixed(2)} MiB`
}
