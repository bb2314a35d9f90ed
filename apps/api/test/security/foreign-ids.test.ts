import { type Route, urlOf } from '@kustos/contract/route'
import { deployments, inspections, logEntries, sessions } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { createUser, listen, signIn } from '../api-client.ts'
import { createLoggedFixtures } from '../logged-fixtures.ts'
import { routes } from '../routes.ts'

const database = await testDatabase()
const { db } = database
const origin = await listen(database)
const fixtures = await createLoggedFixtures(database, origin)
const none = await createUser(database, 'none@kustos.test', [])
await createUser(database, 'viewer@kustos.test', ['view webs'])
const [unprivileged, viewer] = [
  await signIn(origin, 'none@kustos.test'),
  await signIn(origin, 'viewer@kustos.test'),
]

const web = await fixtures.web()
const [{ id: inspection } = { id: 0 }] = await db
  .insert(inspections)
  .values({ web_id: web.id, kind: 'refresh', state: 'waiting', created_at: new Date() })
  .returning()
const existing: Readonly<Record<string, number>> = {
  webs: web.id,
  users: fixtures.adminId,
  roles: (await fixtures.role()).id,
  externalDomains: (await fixtures.domain()).id,
  deployments: (await fixtures.deployment('failed')).id,
  inspections: inspection,
  request: web.id,
  monitoring: web.id,
}
const findExistingId = (route: Route) => existing[route.path.split('/')[2] ?? ''] ?? 1

const takeSnapshot = async () =>
  JSON.stringify(
    await Promise.all([
      ...['webs', 'users', 'roles', 'user_roles', 'external_domains', 'deployments', 'inspections'].map(
        async (name) => {
          const { rows } = await database.pool.query(
            `select row_to_json(t)::text as line from ${name} t order by 1`,
          )
          return rows
        },
      ),
      db.select().from(sessions).where(eq(sessions.user_id, fixtures.adminId)),
    ]),
  )

const byId = Object.entries(routes).filter(
  ([, { path, access }]) => path.includes('/:id') && typeof access === 'object',
)

describe('an id reveals nothing to users who may not see its record', () => {
  it.each(byId)('%s responds alike for existing and unknown ids', async (_, route) => {
    const before = await takeSnapshot()
    const texts: string[] = []
    for (const id of [findExistingId(route), 2_000_000_000]) {
      const response = await unprivileged.send(
        route.method,
        urlOf(route, { id, override: 1, exception: 1 }),
        route.body ? {} : undefined,
      )
      expect(response.status).toBe(403)
      texts.push(await response.text())
    }
    expect(texts[0]).toBe(texts[1])
    expect(texts[0]).toBe('{"message":"This action is unauthorized.","code":"unauthorized"}')
    expect(await takeSnapshot()).toBe(before)
  })

  it('sessions of other users respond like unknown ones', async () => {
    const [row] = await db.select().from(sessions).where(eq(sessions.user_id, fixtures.adminId))
    const before = await takeSnapshot()
    const responses = await Promise.all(
      [row?.number ?? 0, 2_000_000_000].map(async (number) => {
        const response = await viewer.send('DELETE', `/api/sessions/${number}`)
        // The response contains the requested number.
        return [response.status, (await response.text()).replaceAll(String(number), 'N')]
      }),
    )
    expect(responses[0]).toEqual(responses[1])
    expect(responses[0]?.[0]).toBe(404)
    expect(await takeSnapshot()).toBe(before)
  })

  it('users without permissions may change only themselves', async () => {
    const before = await takeSnapshot()
    const body = { email: 'taken-over@kustos.test', name: 'Taken over', password: 'a pass phrase of mine' }
    for (const id of [fixtures.adminId, 2_000_000_000]) {
      const response = await unprivileged.send('PUT', `/api/users/${id}`, { ...body, id: none })
      expect([id, response.status]).toEqual([id, 403])
    }
    expect(await takeSnapshot()).toBe(before)
  })

  it('responses about users contain no password, session or token', async () => {
    for (const path of [
      '/api/users',
      `/api/users/${fixtures.adminId}`,
      '/api/users/current',
      '/api/roles',
      '/api/sessions',
      '/api/logs',
    ])
      expect(await (await fixtures.admin.fetch(path)).text()).not.toMatch(
        /argon2|password|csrf|"data":\{"userId/i,
      )
  })
})

it('a permission for one list does not give access to others by their ids', async () => {
  const paths = {
    [`/api/webs/${web.id}`]: 200,
    [`/api/webs/${web.id}/facts`]: 200,
    '/api/webs?deleted=1': 403,
    [`/api/deployments/${existing.deployments}`]: 403,
    [`/api/deployments/${existing.deployments}/lines`]: 403,
    '/api/deployments': 403,
    [`/api/monitoring/webs/${web.id}`]: 403,
    [`/api/monitoring/incidents?web=${web.id}`]: 403,
    [`/api/logs?subject_type=web&subject_id=${web.id}`]: 403,
    '/api/users': 403,
  }
  for (const [path, status] of Object.entries(paths))
    expect([path, (await viewer.fetch(path)).status]).toEqual([path, status])
  const { deleted } = { deleted: await fixtures.web({ deleted_at: new Date() }) }
  expect([403, 404]).toContain((await viewer.fetch(`/api/webs/${deleted.id}`)).status)
  expect(await db.$count(deployments)).toBe(1)
  expect(await db.$count(logEntries, eq(logEntries.log_name, 'webs'))).toBe(0)
})
