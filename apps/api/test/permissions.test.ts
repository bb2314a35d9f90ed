import { authRoutes } from '@kustos/contract/auth'
import { type Access, adminRole, can, type Permission, permissions } from '@kustos/contract/permissions'
import { type Route, urlOf } from '@kustos/contract/route'
import { permissions as permissionTable, repositorySyncs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { ApiClient, createUser, listen, signIn } from './api-client.ts'
import { routes } from './routes.ts'
import { seedRoles } from './seed-roles.ts'

const database = await testDatabase()
const origin = await listen(database)

const buildEmail = (holder: string) => `${holder.replaceAll(' ', '-')}@kustos.test`
const clients = new Map<string, ApiClient>()
const holders: Record<string, Permission[] | 'admin'> = {
  ...Object.fromEntries(permissions.map((permission) => [permission, [permission]])),
  none: [],
  admin: 'admin',
}

beforeAll(async () => {
  // Bitbucket is not available in this test, so that the API must not refresh its list.
  await database.db.insert(repositorySyncs).values({ succeeded_at: new Date() })
  for (const [name, granted] of Object.entries(holders)) {
    await createUser(database, buildEmail(name), granted)
    clients.set(name, await signIn(origin, buildEmail(name)))
  }
  const anonymous = new ApiClient(origin)
  await anonymous.fetch('/sanctum/csrf-cookie')
  clients.set('anonymous', anonymous)
}, 60_000)

const nowhere = { code: 'NOBODY', name: 'nowhere', fqdn: 'nowhere.test', override: 1, exception: 1 }

/** Allowed calls change nothing, because their id does not exist or their body is invalid. */
const attempt = (client: ApiClient, route: Route) =>
  client.send(route.method, urlOf(route, { ...nowhere, id: 2_000_000_000 }), route.body ? {} : undefined)

const expected = (access: Access, holder: string) => {
  if (access === 'public') return 'allowed'
  if (holder === 'anonymous') return 401
  const user = {
    roles: holder === 'admin' ? [{ name: adminRole }] : [],
    permissions: holder === 'none' || holder === 'admin' ? [] : [holder],
  }
  return can(user, access) ? 'allowed' : 403
}

describe.each(Object.entries(routes))('%s', (_name, route) => {
  it('allows only users with the permission', async () => {
    for (const [holder, client] of clients) {
      // A sign-out would end the session that later calls need.
      const own = route === authRoutes.signOut && holder !== 'anonymous'
      const { status } = await attempt(own ? await signIn(origin, buildEmail(holder)) : client, route)
      const decision = status === 401 || status === 403 ? status : 'allowed'
      expect({ holder, decision }).toEqual({ holder, decision: expected(route.access, holder) })
      expect(status).toBeLessThan(500)
    }
  })
})

it.each(Object.entries(routes).filter(([, route]) => route.method !== 'GET'))(
  '%s is rejected without the CSRF token',
  async (_name, route) => {
    // It is refused before permissions are read.
    for (const holder of ['anonymous', 'none', 'admin']) {
      const response = await clients.get(holder)?.fetch(urlOf(route, { ...nowhere, id: 1 }), {
        method: route.method,
      })
      expect(response?.status).toBe(419)
    }
  },
)

it('covers every route that the API serves and documents', async () => {
  const { paths } =
    (await clients.get('none')?.json<{ paths: Record<string, object> }>('/api/openapi.json')) ?? {}
  const served = Object.entries(paths ?? {}).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const declared = Object.values(routes).map(
    (route) => `${route.method} ${route.path.replace(/:(\w+)/g, '{$1}')}`,
  )
  expect(served.sort()).toEqual(declared.sort())
})

it('requires a sign-in for the API documentation', async () => {
  const statuses = async (holder: string) =>
    Promise.all(
      ['/api/openapi.json', '/api/docs/'].map(
        async (path) => (await clients.get(holder)?.fetch(path))?.status,
      ),
    )
  expect(await statuses('anonymous')).toEqual([401, 401])
  expect(await statuses('none')).toEqual([200, 200])
})

it('the database and the contract have the same permissions', async () => {
  const rows = await database.db.select().from(permissionTable)
  expect(rows.map((row) => row.name).sort()).toEqual([...permissions].sort())
})

it('each permission is granted to a role of the sandbox, except those that only administrators have', () => {
  const granted = new Set<string>(Object.values(seedRoles).flat())
  expect(permissions.filter((permission) => !granted.has(permission))).toEqual([
    'manage nodes',
    'view admin panel',
  ])
})
