import { inspectionRoutes } from '@kustos/contract/inspections'
import { inspections } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { beforeEach, expect, test } from 'vitest'
import { createUser, listen, signIn } from './api-client.ts'
import { insertTwoWebs, listWebEntries } from './two-webs.ts'

const database = await testDatabase()
const { db } = database
const now = new Date('2026-11-20T10:00:30Z')
const origin = await listen(database, { now: () => now })
const staffId = await createUser(database, 'staff@kustos.test', ['edit webs'])
const staff = await signIn(origin, 'staff@kustos.test')
await createUser(database, 'viewer@kustos.test', ['view webs'])
const viewer = await signIn(origin, 'viewer@kustos.test')

let web = 0
let deleted = 0
beforeEach(async () => {
  ;[web, deleted] = await insertTwoWebs(database, now)
})

const listEntries = () => listWebEntries(database, [web, deleted])

const requestInspection = (id: number | string, client = staff) =>
  client.send('POST', `/api/request/refreshWeb/${id}`)

test('requests, logs and tracks a refresh', async () => {
  const response = await requestInspection(web)
  expect(response.status).toBe(204)
  const location = response.headers.get('location') ?? ''
  expect(location).toMatch(/^\/api\/inspections\/\d+$/)
  const inspection = inspectionRoutes.readInspection.response.parse(
    await (await staff.fetch(location)).json(),
  )
  expect(inspection).toMatchObject({
    web_id: web,
    kind: 'refresh',
    state: 'waiting',
    requested_by: { id: staffId, email: 'staff@kustos.test' },
    problems: [],
  })
  expect(await listEntries()).toMatchObject([
    {
      log_name: 'webs',
      description: 'refresh requested',
      subject_type: 'web',
      subject_id: web,
      causer_id: staffId,
      properties: { attributes: { inspection: inspection.id } },
    },
  ])
})

test('joins a second refresh to one that is waiting or running, but not to an audit', async () => {
  const refreshes = await Promise.all([requestInspection(web), requestInspection(web)])
  expect(refreshes.map(({ status }) => status)).toEqual([204, 204])
  const audit = await staff.send('POST', `/api/request/updateTracking/${web}`)
  expect(audit.status).toBe(204)
  const [first, second, other] = [...refreshes, audit].map(({ headers }) => headers.get('location'))
  expect(second).toBe(first)
  expect(other).not.toBe(first)
})

test('rejects unknown webs and users without the permission', async () => {
  for (const id of [deleted, 2_000_000_000]) expect((await requestInspection(id)).status).toBe(404)
  expect((await requestInspection('nothing')).status).toBeGreaterThanOrEqual(400)
  expect((await requestInspection(web, viewer)).status).toBe(403)
  expect(await db.select().from(inspections)).toEqual([])
  expect(await listEntries()).toEqual([])
})

test("shows a deleted web's inspections only to users who may restore webs", async () => {
  await createUser(database, 'restorer@kustos.test', ['view webs', 'restore webs'])
  const restorer = await signIn(origin, 'restorer@kustos.test')
  const [inspection] = await db
    .insert(inspections)
    .values({ web_id: deleted, kind: 'refresh', state: 'failed', created_at: now })
    .returning()
  const path = `/api/inspections/${inspection?.id}`
  expect((await viewer.fetch(path)).status).toBe(404)
  expect(await restorer.json(path)).toMatchObject({ web_id: deleted, state: 'failed' })
})
