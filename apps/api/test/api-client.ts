import type { AddressInfo } from 'node:net'
import { type Permission, permissions } from '@kustos/contract/permissions'
import type { OpenDatabase } from '@kustos/database/client'
import { rolePermissions, roles, userRoles, users } from '@kustos/database/tables'
import type { TestDatabase } from '@kustos/database/testing'
import { hashPassword } from '@kustos/domain/auth'
import { openEvents } from '@kustos/domain/platform/events'
import { openExternalServices } from '@kustos/domain/services'
import { eq } from 'drizzle-orm'
import { afterAll } from 'vitest'
import { type AppOptions, buildApp } from '../src/app.ts'

export const password = 'correct horse battery'

/** Like a worker's, with the shipped recipes and the job queue in the test's own database. */
export async function createTestServices(database: TestDatabase) {
  const outside = await openExternalServices(
    {
      BITBUCKET_URL: 'http://127.0.0.1:9/2.0',
      TRIAL_DAY_TEMPLATE: 'schnuppertag-kickstarter',
      OPERATOR_CODE: 'AGENTUR',
    },
    { databaseUrl: database.url, onError: () => undefined },
  )
  afterAll(() => outside.close())
  return outside
}

/** The API on a port of its own over real HTTP, ended after the file's last test. */
export async function listen(database: TestDatabase, options: Partial<AppOptions> = {}): Promise<string> {
  const { deployments, bitbucket } = await createTestServices(database)
  const events = openEvents(database.url, () => undefined)
  const app = await buildApp({
    database,
    sessionSecret: 's'.repeat(32),
    deployments,
    bitbucket,
    events,
    ...options,
  })
  afterAll(async () => {
    const closed = app.close()
    // A connection that was made and not used would be waited for.
    app.server.closeAllConnections()
    await closed
    await events.close()
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

let hash: Promise<string> | undefined

/** A user with a role of their own that holds these permissions, or with the admin role. */
export async function createUser(
  { db }: OpenDatabase,
  email: string,
  granted: readonly Permission[] | 'admin',
): Promise<number> {
  hash ??= hashPassword(password)
  const [user] = await db
    .insert(users)
    .values({ email, name: email, password_hash: await hash })
    .returning()
  const [role] =
    granted === 'admin'
      ? await db.select().from(roles).where(eq(roles.name, 'admin'))
      : await db
          .insert(roles)
          .values({ name: `role of ${email}` })
          .returning()
  if (!user || !role) throw new Error('The user was not created')
  await db.insert(userRoles).values({ user_id: user.id, role_id: role.id })
  if (granted !== 'admin' && granted.length > 0) {
    await db.insert(rolePermissions).values(granted.map((permission) => ({ role_id: role.id, permission })))
  }
  return user.id
}

export const every = permissions

/** A browser as far as cookies go. */
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
    const answer = await fetch(this.origin + path, { redirect: 'manual', ...init, headers })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return answer
  }

  /** With the token as Sanctum's clients send it. */
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

  async signIn(email: string, given = password, remember = false): Promise<Response> {
    await this.fetch('/sanctum/csrf-cookie')
    return this.send('POST', '/api/login', { email, password: given, remember })
  }

  async json<T>(path: string): Promise<T> {
    const answer = await this.fetch(path)
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.json() as Promise<T>
  }
}

export async function signIn(origin: string, email: string): Promise<ApiClient> {
  const client = new ApiClient(origin)
  const answer = await client.signIn(email)
  if (answer.status !== 204) throw new Error(`${email} was not signed in: ${answer.status}`)
  return client
}
