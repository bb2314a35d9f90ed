import { authRoutes } from '@kustos/contract/auth'
import { type Access, adminRole, can, type Permission, permissions } from '@kustos/contract/permissions'
import { type Route, urlOf } from '@kustos/contract/route'
import { permissions as permissionTable, repositorySyncs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { routes } from './routes.ts'
import { createUser, listen, signedIn, Visitor } from './visitor.ts'

const database = await testDatabase()
const origin = await listen(database)

const emailOf = (holder: string) => `${holder.replaceAll(' ', '-')}@kustos.test`
const visitors = new Map<string, Visitor>()
const holders: Record<string, Permission[] | 'admin'> = {
  ...Object.fromEntries(permissions.map((permission) => [permission, [permission]])),
  none: [],
  admin: 'admin',
}

beforeAll(async () => {
  // Bitbucket is not there in this test; without a last good list it would be asked.
  await database.db.insert(repositorySyncs).values({ succeeded_at: new Date() })
  for (const [name, granted] of Object.entries(holders)) {
    await createUser(database, emailOf(name), granted)
    visitors.set(name, await signedIn(origin, emailOf(name)))
  }
  const anonymous = new Visitor(origin)
  await anonymous.fetch('/sanctum/csrf-cookie')
  visitors.set('anonymous', anonymous)
}, 60_000)

/** Allowed, it meets a web or user that does not exist or a body that is wrong: nothing is changed by the table. */
const attempt = (visitor: Visitor, route: Route) =>
  visitor.send(route.method, urlOf(route, { id: 2_000_000_000 }), route.body ? {} : undefined)

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
  it('lets in whom its permission names, and nobody else', async () => {
    for (const [holder, visitor] of visitors) {
      // Signing out ends the session, which the rest of the table still needs.
      const own = route === authRoutes.signOut && holder !== 'anonymous'
      const { status } = await attempt(own ? await signedIn(origin, emailOf(holder)) : visitor, route)
      const decision = status === 401 || status === 403 ? status : 'allowed'
      // A malformed sign-in is refused for its body.
      expect({ holder, decision }).toEqual({ holder, decision: expected(route.access, holder) })
      expect(status).toBeLessThan(500)
    }
  })
})

it.each(Object.entries(routes).filter(([, route]) => route.method !== 'GET'))(
  '%s refuses everybody without the token',
  async (_name, route) => {
    for (const [, visitor] of visitors) {
      const answer = await visitor.fetch(urlOf(route, { id: 1 }), { method: route.method })
      expect(answer.status).toBe(419)
    }
  },
)

it('covers every route that the API serves and describes', async () => {
  const { paths } =
    (await visitors.get('none')?.json<{ paths: Record<string, object> }>('/api/openapi.json')) ?? {}
  const served = Object.entries(paths ?? {}).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const declared = Object.values(routes).map(
    (route) => `${route.method} ${route.path.replace(/:(\w+)/g, '{$1}')}`,
  )
  expect(served.sort()).toEqual(declared.sort())
})

it('documents are for signed-in users', async () => {
  const statuses = async (holder: string) =>
    Promise.all(
      ['/api/openapi.json', '/api/docs/'].map(
        async (path) => (await visitors.get(holder)?.fetch(path))?.status,
      ),
    )
  expect(await statuses('anonymous')).toEqual([401, 401])
  expect(await statuses('none')).toEqual([200, 200])
})

it('the database knows the same permissions as the contract', async () => {
  const rows = await database.db.select().from(permissionTable)
  expect(rows.map((row) => row.name).sort()).toEqual([...permissions].sort())
  expect(permissions).toHaveLength(16)
})
