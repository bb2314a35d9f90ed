import { Agent, request } from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { permissions } from '@kustos/contract/permissions'
import { categories, nodes, users, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { hashPassword } from '@kustos/domain/auth'
import { openLog } from '@kustos/domain/platform/logger'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ApiClient, createUser, listen, password } from '../api-client.ts'
import { storeRepositories } from '../repositories.ts'
import { findBrokenInvariants } from './database-invariants.ts'
import {
  type Caller,
  type FuzzRequest,
  type OpenApiDocument,
  operationsOf,
  requestOf,
} from './fuzz-requests.ts'

/** KUSTOS_FUZZ_SEED tries others; KUSTOS_FUZZ_FROM and KUSTOS_FUZZ_REQUESTS a part of them. */
const seed = Number(process.env.KUSTOS_FUZZ_SEED ?? 20_261_121)
const from = Number(process.env.KUSTOS_FUZZ_FROM ?? 0)
const count = Number(process.env.KUSTOS_FUZZ_REQUESTS ?? 10_000)
const atATime = 12

const database = await testDatabase()
const { db } = database
const complaints: string[] = []
const log = openLog({
  name: 'kustos-api',
  level: 'info',
  secrets: [],
  to: {
    write: (line) => {
      const { level } = JSON.parse(line) as { level: number }
      if (level >= 50) complaints.push(line)
    },
  },
})
const origin = await listen(database, { log, limits: { export: 2_000 } })
const agent = new Agent({ keepAlive: true, maxSockets: 2 * atATime })
afterAll(() => agent.destroy())

const everyPermission = await createUser(database, 'manager@kustos.test', [...permissions])
const staff: Readonly<Record<Exclude<Caller, 'nobody'>, number>> = {
  admin: await createUser(database, 'admin@kustos.test', 'admin'),
  manager: everyPermission,
  viewer: await createUser(database, 'viewer@kustos.test', ['view webs', 'view queue']),
  leaver: await createUser(database, 'leaver@kustos.test', ['view webs']),
}
const hash = await hashPassword(password)
const askers = new Map<string, ApiClient>()

/** Domains are gone once they are deleted: those that requests name come back. */
const putDomainsBack = () =>
  database.owner.pool.query(`
    insert into external_domains (id, fqdn, fqdn_ascii, customer, domainprovider) overriding system value
    select id, name, name, 'ALPEN', 'Other' from generate_series(1, 14) id, concat('back-', id, '.test') name
    on conflict do nothing`)

/** Signs in who has been signed out, renamed or deleted by a request that was allowed to. */
async function seatStaff(): Promise<void> {
  for (const [name, id] of Object.entries(staff)) {
    const seated = askers.get(name)
    if (seated && (await seated.fetch('/api/users/current')).status === 200) continue
    await db
      .update(users)
      .set({ email: `${name}@kustos.test`, password_hash: hash, deleted_at: null })
      .where(eq(users.id, id))
    await database.owner.pool.query('delete from sign_in_attempts')
    const client = new ApiClient(origin)
    const { status } = await client.signIn(`${name}@kustos.test`)
    if (status !== 204) throw new Error(`${name} was not signed in: ${status}`)
    askers.set(name, client)
  }
}

beforeAll(async () => {
  await db
    .insert(nodes)
    .values({ name: 'n1', plesk_fqdn: 'n1.test', address: '192.0.2.1', cloud_enabled: true })
  await db.insert(categories).values([{ name: 'Hotel' }, { name: 'Shop' }])
  await db.insert(webs).values(
    Array.from({ length: 12 }, (_, number) => ({
      fqdn: `fuzz-${number}.test`,
      fqdn_ascii: `fuzz-${number}.test`,
      customer: 'ALPEN',
      configured_ip: '192.0.2.1',
      node_id: 1,
      repository: 'web134-kickstarter-base',
    })),
  )
  await storeRepositories(db, 'web134-kickstarter-base')
  const nobody = new ApiClient(origin)
  await nobody.fetch('/sanctum/csrf-cookie')
  askers.set('nobody', nobody)
  await seatStaff()
  await putDomainsBack()
  await database.owner.pool.query(`select setval(pg_get_serial_sequence('external_domains', 'id'), 100)`)
})

interface Answer {
  readonly status: number
  readonly type: string
  readonly text: string
}

function ask({ as, operation, url, headers, body, number }: FuzzRequest): Promise<Answer> {
  const { cookies } = askers.get(as) ?? new ApiClient(origin)
  const token = decodeURIComponent(cookies.get('XSRF-TOKEN') ?? '')
  return new Promise((resolve, reject) => {
    const asked = request(
      origin,
      {
        agent,
        method: operation.method,
        path: url,
        timeout: 15_000,
        headers: {
          cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
          // One in forty forgets it.
          ...(number % 41 !== 0 && { 'x-xsrf-token': token }),
          ...headers,
          ...(body !== null && { 'content-length': Buffer.byteLength(body) }),
        },
      },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            type: String(answer.headers['content-type'] ?? ''),
            text: decode(Buffer.concat(chunks), answer.headers['content-encoding']).toString('utf8'),
          }),
        )
      },
    )
    asked.on('timeout', () => asked.destroy(new Error('There was no answer within 15 s')))
    // A body that is too large is refused before all of it is sent.
    asked.on('error', reject)
    asked.end(body ?? undefined)
  })
}

/** Error answers with many fields are long enough to be compressed. */
function decode(body: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'br') return brotliDecompressSync(body)
  if (encoding === 'gzip') return gunzipSync(body)
  return encoding === 'zstd' ? zstdDecompressSync(body) : body
}

/** What is wrong with an answer; null for nothing. */
function faultOf({ operation, also }: FuzzRequest, { status, type, text }: Answer): string | null {
  if (status >= 500) return 'failed'
  if (status < 400) {
    if (operation.statuses.includes(status) || also.includes(status)) return null
    // A path that leads elsewhere, as to a page of the frontend.
    return also.includes(404) && status === 200 ? null : 'is not described'
  }
  if (!operation.statuses.includes(status) && !also.includes(status)) return 'is not described'
  if (!type.startsWith('application/json')) return 'is no JSON'
  const { message } = JSON.parse(text) as { message?: unknown }
  if (typeof message !== 'string' || message === '') return 'has no message'
  return /node_modules|\bat \S+ \(|\.ts:\d|drizzle|select .* from|pg_/i.test(text)
    ? 'tells of the inside'
    : null
}

it('answers ten thousand mutated requests as documented and stays consistent', async () => {
  const description = await (askers.get('admin') ?? new ApiClient(origin)).json<OpenApiDocument>(
    '/api/openapi.json',
  )
  const operations = operationsOf(description)
  const met = new Map<string, Set<number>>()
  const statuses = new Map<number, number>()
  const faults: string[] = []
  let next = from

  async function work(until: number): Promise<void> {
    while (next < until && faults.length < 20) {
      const one = requestOf(next++, seed, operations, description.components.schemas)
      const told = () =>
        `seed ${seed}, request ${one.number}: ${one.as} asks ${one.operation.method} ${one.url.slice(0, 500)} ` +
        `${JSON.stringify(one.headers)} ${one.body?.slice(0, 1_000) ?? ''}`
      try {
        const answer = await ask(one)
        const fault = faultOf(one, answer)
        if (fault) faults.push(`${answer.status} ${fault}: ${told()} → ${answer.text.slice(0, 300)}`)
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        met.set(one.operation.name, (met.get(one.operation.name) ?? new Set()).add(answer.status))
      } catch (error) {
        faults.push(`${error}: ${told()}`)
      }
    }
  }

  const started = performance.now()
  for (let until = from; until < from + count && faults.length < 20; ) {
    until = Math.min(until + 250, from + count)
    await Promise.all(Array.from({ length: atATime }, () => work(until)))
    await seatStaff()
    await putDomainsBack()
  }
  const seconds = Math.round((performance.now() - started) / 100) / 10
  const shares = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`)
  process.stdout.write(`seed ${seed}: ${count} requests in ${seconds} s; ${shares.join(', ')}\n`)

  expect(faults).toEqual([])
  expect(complaints).toEqual([])
  // Requests get past the doors: each operation has looked at the input of one at least.
  if (count >= 3_000) {
    const atTheDoor = [400, 401, 403, 413, 415, 419]
    const closed = [...met].filter(([, seen]) => [...seen].every((status) => atTheDoor.includes(status)))
    expect(closed.map(([name]) => name)).toEqual([])
    expect(met.size).toBe(operations.length)
  }
  expect((await fetch(`${origin}/api/ready`)).status).toBe(200)
  expect(await findBrokenInvariants(database.owner)).toEqual([])
}, 240_000)
