import type { AddressInfo } from 'node:net'
import { openQueues } from '@kustos/clients/queue'
import { type Permission, permissions } from '@kustos/contract/permissions'
import { queues as queueNames } from '@kustos/contract/queue'
import type { OpenDatabase } from '@kustos/database/client'
import { rolePermissions, roles, userRoles, users } from '@kustos/database/tables'
import type { TestDatabase } from '@kustos/database/testing'
import { openEvents } from '@kustos/domain/platform/events'
import { openExternalServices } from '@kustos/domain/services'
import { eq } from 'drizzle-orm'
import { afterAll } from 'vitest'
import { type AppOptions, buildApp } from '../src/app.ts'

export const password = 'correct horse battery'

/** External services with the shipped recipes and a job queue in the test database. */
export async function createTestServices(database: TestDatabase) {
  const services = await openExternalServices(
    {
      BITBUCKET_URL: 'http://127.0.0.1:9/2.0',
      TRIAL_DAY_TEMPLATE: 'schnuppertag-kickstarter',
      OPERATOR_CODE: 'AGENTUR',
    },
    { databaseUrl: database.url, onError: () => undefined },
  )
  afterAll(() => services.close())
  return services
}

/** Deployments whose queue is in a Redis that is down. */
export async function withoutRedis(database: TestDatabase): Promise<Pick<AppOptions, 'deployments'>> {
  const { deployments } = await createTestServices(database)
  const settings = { databaseUrl: database.url, redisUrl: 'redis://127.0.0.1:1', onError: () => undefined }
  const queues = await openQueues(settings, queueNames)
  afterAll(() => queues.close())
  return { deployments: { ...deployments, queues } }
}

/** Starts the API on its own port and stops it after the last test of the file. @returns its origin */
export async function listen(database: TestDatabase, options: Partial<AppOptions> = {}): Promise<string> {
  const { deployments, bitbucket } = await createTestServices(database)
  const events = openEvents(database.url, () => undefined)
  const app = await buildApp({
    database,
    sessionSecret: 's'.repeat(32),
    // That of raw requests.
    hosts: ['kustos.test'],
    deployments,
    bitbucket,
    events,
    ...options,
  })
  afterAll(async () => {
    const closed = app.close()
    // Otherwise the server would wait for idle connections.
    app.server.closeAllConnections()
    await closed
    await events.close()
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

/** Of `password`, with so little memory that a sign-in takes no time. */
const hash = '$argon2id$v=19$m=8,p=1,t=2$CR6buEL67u0Nc2g5K9RLvw$d5ISPTHxjiujCFy0xq7Jz0JhlWW4HdSl9NBid5NBkGQ'

/** Creates a user with their own role of these permissions, or with the admin role. @returns the id */
export async function createUser(
  { db }: OpenDatabase,
  email: string,
  access: readonly Permission[] | 'admin',
): Promise<number> {
  const [user] = await db.insert(users).values({ email, name: email, password_hash: hash }).returning()
  const [role] =
    access === 'admin'
      ? await db.select().from(roles).where(eq(roles.name, 'admin'))
      : await db
          .insert(roles)
          .values({ name: `role of ${email}` })
          .returning()
  if (!user || !role) throw new Error('The user was not created')
  await db.insert(userRoles).values({ user_id: user.id, role_id: role.id })
  if (access !== 'admin' && access.length > 0) {
    await db.insert(rolePermissions).values(access.map((permission) => ({ role_id: role.id, permission })))
  }
  return user.id
}

export const every = permissions

/** A client with cookies and CSRF token, like a browser. */
export class ApiClient {
  readonly cookies = new Map<string, string>()
  readonly origin: string

  constructor(origin: string) {
    this.origin = origin
  }

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    if (!headers.has('cookie'))
      headers.set('cookie', [...this.cookies].map((pair) => pair.join('=')).join('; '))
    const response = await fetch(this.origin + path, { redirect: 'manual', ...init, headers })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return response
  }

  /** Sends a request with the CSRF token, as clients of Sanctum do. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const token = this.cookies.get('XSRF-TOKEN')
    return this.fetch(path, {
      method,
      headers: {
        ...(token !== undefined && { 'x-xsrf-token': decodeURIComponent(token) }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  }

  async signIn(email: string, secret = password, remember = false): Promise<Response> {
    await this.fetch('/sanctum/csrf-cookie')
    return this.send('POST', '/api/login', { email, password: secret, remember })
  }

  async json<T>(path: string): Promise<T> {
    const response = await this.fetch(path)
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response.json() as Promise<T>
  }
}

export async function signIn(origin: string, email: string): Promise<ApiClient> {
  const client = new ApiClient(origin)
  const response = await client.signIn(email)
  if (response.status !== 204) throw new Error(`${email} was not signed in: ${response.status}`)
  return client
}
