import { Agent, request } from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { permissions } from '@kustos/contract/permissions'
import { categories, nodes, sessions, userRoles, users, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { hashPassword } from '@kustos/domain/auth'
import { openLog } from '@kustos/domain/platform/logger'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ApiClient, createUser, listen, password } from '../api-client.ts'
import { storeRepositories } from '../repositories.ts'
import { routes } from '../routes.ts'
import { findViolations } from './database-invariants.ts'
import {
  type Caller,
  type FuzzRequest,
  generateRequest,
  listOperations,
  type OpenApiDocument,
  type Operation,
} from './fuzz-requests.ts'
import { holdRequest } from './held-request.ts'
import { credentialsOf } from './raw-http.ts'

/** KUSTOS_FUZZ_SEED selects other requests, KUSTOS_FUZZ_FROM and KUSTOS_FUZZ_REQUESTS a part of them. */
const seed = Number(process.env.KUSTOS_FUZZ_SEED ?? 20_261_121)
const from = Number(process.env.KUSTOS_FUZZ_FROM ?? 0)
const count = Number(process.env.KUSTOS_FUZZ_REQUESTS ?? 3_000)
const concurrency = 12
/** A busy machine takes more than 30 ms for each request. */
const timeoutMs = 60_000 + count * 100

const database = await testDatabase()
const { db } = database
const loggedErrors: string[] = []
const databaseFaults: string[] = []
const log = openLog({
  name: 'kustos-api',
  level: 'info',
  secrets: [],
  to: {
    write: (line) => {
      const { level, msg } = JSON.parse(line) as { level: number; msg?: string }
      if (level >= 50) loggedErrors.push(line)
      // Why a response was a 503.
      else if (/^the database (was|is) /.test(String(msg))) databaseFaults.push(line)
    },
  },
})
const origin = await listen(database, { log, limits: { exportMs: 2_000 } })
const agent = new Agent({ keepAlive: true, maxSockets: 2 * concurrency })
afterAll(() => agent.destroy())

const everyPermission = await createUser(database, 'manager@kustos.test', [...permissions])
// Requests cannot name the role of the user who is revoked, and take its permissions away for good.
const skipRoleIds = () =>
  database.owner.pool.query(`select setval(pg_get_serial_sequence('roles', 'id'), 100)`)
const staff: Readonly<Record<Exclude<Caller, 'nobody'>, number>> = {
  admin: await createUser(database, 'admin@kustos.test', 'admin'),
  manager: everyPermission,
  viewer: await createUser(database, 'viewer@kustos.test', ['view webs', 'view queue']),
  signOut: await createUser(database, 'signOut@kustos.test', ['view webs']),
  revoked: await skipRoleIds().then(() => createUser(database, 'revoked@kustos.test', [...permissions])),
}
const hash = await hashPassword(password)
const clients = new Map<string, ApiClient>()

/** Restores the domains that requests refer to, because deletions are permanent. */
const restoreDomains = () =>
  database.owner.pool.query(`
    insert into external_domains (id, fqdn, fqdn_ascii, customer, domainprovider) overriding system value
    select id, name, name, 'ALPEN', 'Other' from generate_series(1, 14) id, concat('back-', id, '.test') name
    on conflict do nothing`)

/** Restores and signs in the users that requests have signed out, renamed or deleted. */
async function restoreUsers(): Promise<void> {
  for (const [name, id] of Object.entries(staff)) {
    const existing = clients.get(name)
    if (existing && (await existing.fetch('/api/users/current')).status === 200) continue
    await db
      .update(users)
      .set({ email: `${name}@kustos.test`, password_hash: hash, deleted_at: null })
      .where(eq(users.id, id))
    await database.owner.pool.query('delete from sign_in_limits')
    const client = new ApiClient(origin)
    const { status } = await client.signIn(`${name}@kustos.test`)
    if (status !== 204) throw new Error(`${name} was not signed in: ${status}`)
    clients.set(name, client)
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
  clients.set('nobody', nobody)
  await restoreUsers()
  await restoreDomains()
  await database.owner.pool.query(`select setval(pg_get_serial_sequence('external_domains', 'id'), 100)`)
})

interface FuzzResponse {
  readonly status: number
  readonly type: string
  readonly text: string
}

function sendFuzzRequest({ as, operation, url, headers, body, number }: FuzzRequest): Promise<FuzzResponse> {
  const { cookies } = clients.get(as) ?? new ApiClient(origin)
  const token = decodeURIComponent(cookies.get('XSRF-TOKEN') ?? '')
  return new Promise((resolve, reject) => {
    const sent = request(
      origin,
      {
        agent,
        method: operation.method,
        path: url,
        timeout: 15_000,
        headers: {
          cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
          // One in 41 lacks the token.
          ...(number % 41 !== 0 && { 'x-xsrf-token': token }),
          ...headers,
          ...(body !== null && { 'content-length': Buffer.byteLength(body) }),
        },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            type: String(response.headers['content-type'] ?? ''),
            text: decode(Buffer.concat(chunks), response.headers['content-encoding']).toString('utf8'),
          }),
        )
      },
    )
    sent.on('timeout', () => sent.destroy(new Error('There was no response within 15 s')))
    sent.on('error', reject)
    sent.end(body ?? undefined)
  })
}

/** Long error responses are compressed. */
function decode(body: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'br') return brotliDecompressSync(body)
  if (encoding === 'gzip') return gunzipSync(body)
  return encoding === 'zstd' ? zstdDecompressSync(body) : body
}

const revokedRoles = await db.select().from(userRoles).where(eq(userRoles.user_id, staff.revoked))

const revocations: readonly (() => Promise<unknown>)[] = [
  () => db.delete(sessions).where(eq(sessions.user_id, staff.revoked)),
  () => db.update(users).set({ deleted_at: new Date() }).where(eq(users.id, staff.revoked)),
  () => db.delete(userRoles).where(eq(userRoles.user_id, staff.revoked)),
]

/** The changes that need a permission, as the OpenAPI document spells them. */
const permittedChanges = new Set(
  Object.values(routes)
    .filter(({ method, access }) => method !== 'GET' && typeof access === 'object')
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`),
)

/** How often responses had which status. */
class StatusCounts {
  readonly #counts = new Map<number, number>()

  add(status: number) {
    this.#counts.set(status, (this.#counts.get(status) ?? 0) + 1)
  }

  sum() {
    return [...this.#counts.values()].reduce((sum, times) => sum + times, 0)
  }

  toString() {
    return [...this.#counts]
      .sort(([a], [b]) => a - b)
      .map(([status, times]) => `${status}: ${times}`)
      .join(', ')
  }
}

/**
 * Once its body is there, a request is refused for its user, or without looking at the user because the body is no JSON or the
 * path unknown. One that is refused earlier, for its head, was not held.
 */
function isRefused(status: number, isEarly: boolean, { extraStatuses }: FuzzRequest): boolean {
  if (isEarly) return [400, 404, 405, 413, 414, 415].includes(status)
  return [400, 401, 403].includes(status) || (status === 404 && extraStatuses.includes(404))
}

/** Holds the bodies of changes by a user while others send requests, and sends the rest once the user may no longer change anything. */
async function sendAcrossRevocation(
  requests: readonly FuzzRequest[],
  revoke: () => Promise<unknown>,
  others: () => Promise<unknown>,
  statuses: StatusCounts,
): Promise<string[]> {
  const credentials = credentialsOf(clients.get('revoked') ?? new ApiClient(origin))
  const held = await Promise.all(
    requests.map(async (fuzzRequest) => {
      const { operation, url, headers, body } = fuzzRequest
      return {
        fuzzRequest,
        finish: await holdRequest(origin, {
          method: operation.method,
          path: url,
          headers: {
            ...(body === null && { 'content-type': 'application/json' }),
            ...headers,
            ...credentials,
          },
          body: body === null || body.length < 2 ? '{}' : body,
        }),
      }
    }),
  )
  await others()
  await revoke()
  const {
    rows: [{ last }],
  } = await database.owner.pool.query('select max(id) as last from log_entries')
  const faults = await Promise.all(
    held.map(async ({ fuzzRequest, finish }) => {
      const { status, text, isEarly } = await finish()
      if (!isEarly) statuses.add(status)
      if (isRefused(status, isEarly, fuzzRequest)) return []
      const { number, operation, url } = fuzzRequest
      const when = isEarly ? 'before' : 'after'
      return `${status} ${when} a revocation: request ${number}: ${operation.method} ${url} → ${text}`
    }),
  )
  const { rows: changes } = await database.owner.pool.query(
    `select * from log_entries where id > $1 and causer_id = $2 and description not like '%denied'`,
    [last, staff.revoked],
  )
  await db.insert(userRoles).values(revokedRoles).onConflictDoNothing()
  return [...faults.flat(), ...changes.map((change) => JSON.stringify(change))]
}

/** The fault of a response, or null. */
function findFault(
  { operation, extraStatuses }: FuzzRequest,
  { status, type, text }: FuzzResponse,
): string | null {
  if (status >= 500) return 'failed'
  if (status < 400) {
    if (operation.statuses.includes(status) || extraStatuses.includes(status)) return null
    // The path may lead to another page, such as one of the frontend.
    return extraStatuses.includes(404) && status === 200 ? null : 'is not described'
  }
  if (!operation.statuses.includes(status) && !extraStatuses.includes(status)) return 'is not described'
  if (!type.startsWith('application/json')) return 'is not JSON'
  const { message } = JSON.parse(text) as { message?: unknown }
  if (typeof message !== 'string' || message === '') return 'has no message'
  return /node_modules|\bat \S+ \(|\.ts:\d|drizzle|select .* from|pg_/i.test(text)
    ? 'reveals internals'
    : null
}

it(
  'responds to thousands of mutated requests as documented, a third of them held across a revocation, and stays consistent',
  async () => {
    const description = await (clients.get('admin') ?? new ApiClient(origin)).json<OpenApiDocument>(
      '/api/openapi.json',
    )
    const operations = listOperations(description)
    const changes = operations.filter(({ name }) => permittedChanges.has(name))
    expect(changes.length).toBe(permittedChanges.size)
    const generate = (number: number, from: readonly Operation[]) =>
      generateRequest(number, seed, from, description.components.schemas)
    const statusesByOperation = new Map<string, Set<number>>()
    const statuses = new StatusCounts()
    const heldStatuses = new StatusCounts()
    const faults: string[] = []
    let next = from

    async function work(until: number): Promise<void> {
      while (next < until && faults.length < 20) {
        const fuzzRequest = generate(next++, operations)
        const describeRequest = () =>
          `seed ${seed}, request ${fuzzRequest.number}: ${fuzzRequest.as} sends ${fuzzRequest.operation.method} ${fuzzRequest.url.slice(0, 500)} ` +
          `${JSON.stringify(fuzzRequest.headers)} ${fuzzRequest.body?.slice(0, 1_000) ?? ''}`
        try {
          const response = await sendFuzzRequest(fuzzRequest)
          const fault = findFault(fuzzRequest, response)
          if (fault)
            faults.push(`${response.status} ${fault}: ${describeRequest()} → ${response.text.slice(0, 300)}`)
          statuses.add(response.status)
          statusesByOperation.set(
            fuzzRequest.operation.name,
            (statusesByOperation.get(fuzzRequest.operation.name) ?? new Set()).add(response.status),
          )
        } catch (error) {
          faults.push(`${error}: ${describeRequest()}`)
        }
      }
    }

    const started = performance.now()
    for (let until = from; until < from + count && faults.length < 20; ) {
      const start = until
      until = Math.min(start + 250, from + count)
      const firstHeld = start + Math.ceil(((until - start) * 2) / 3)
      const held = Array.from({ length: until - firstHeld }, (_, at) => generate(firstHeld + at, changes))
      const revoke = revocations[Math.floor(start / 250) % revocations.length] ?? expect.fail()
      faults.push(
        ...(await sendAcrossRevocation(
          held,
          revoke,
          () => Promise.all(Array.from({ length: concurrency }, () => work(firstHeld))),
          heldStatuses,
        )),
      )
      next = until
      await restoreUsers()
      await restoreDomains()
    }
    const seconds = Math.round((performance.now() - started) / 100) / 10
    process.stdout.write(
      `seed ${seed}: ${count} requests in ${seconds} s; ${statuses}; ${heldStatuses.sum()} held across a revocation: ${heldStatuses}\n`,
    )

    expect(faults.length === 0 ? [] : [...faults, ...databaseFaults]).toEqual([])
    expect(loggedErrors).toEqual([])
    // At least one request of each operation must pass the authentication and parsing.
    if (count >= 3_000) {
      const earlyStatuses = [400, 401, 403, 413, 415, 419]
      const unreached = [...statusesByOperation].filter(([, met]) =>
        [...met].every((status) => earlyStatuses.includes(status)),
      )
      expect(unreached.map(([name]) => name)).toEqual([])
      expect(statusesByOperation.size).toBe(operations.length)
    }
    expect((await fetch(`${origin}/api/ready`)).status).toBe(200)
    expect(await findViolations(database.owner)).toEqual([])
  },
  timeoutMs,
)
