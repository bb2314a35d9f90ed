import { inspectionRoutes } from '@kustos/contract/inspections'
import { inspections, logEntries, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { and, eq, inArray } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { createUser, listen, signedIn } from './visitor.ts'

const database = await testDatabase()
const { db } = database
const now = new Date('2026-11-20T10:00:30Z')
const origin = await listen(database, { now: () => now })
const staffId = await createUser(database, 'staff@kustos.test', ['edit webs'])
const staff = await signedIn(origin, 'staff@kustos.test')
await createUser(database, 'viewer@kustos.test', ['view webs'])
const viewer = await signedIn(origin, 'viewer@kustos.test')

let web = 0
let deleted = 0
beforeEach(async () => {
  await db.delete(inspections)
  await db.delete(webs)
  const row = { customer: 'ALPEN', configured_ip: '192.0.2.7' }
  const made = await db
    .insert(webs)
    .values([
      { ...row, fqdn: 'hotel.test', fqdn_ascii: 'hotel.test' },
      { ...row, fqdn: 'gone.test', fqdn_ascii: 'gone.test', deleted_at: now },
    ])
    .returning({ id: webs.id })
  ;[web = 0, deleted = 0] = made.map(({ id }) => id)
})

/** What the log tells of this test's webs. */
const logged = () =>
  db
    .select()
    .from(logEntries)
    .where(and(eq(logEntries.subject_type, 'web'), inArray(logEntries.subject_id, [web, deleted])))

const ask = (id: number | string, visitor = staff) => visitor.send('POST', `/api/request/refreshWeb/${id}`)

test('a refresh is asked for, logged, and can be followed', async () => {
  const asked = await ask(web)
  expect(asked.status).toBe(204)
  const location = asked.headers.get('location') ?? ''
  expect(location).toMatch(/^\/api\/inspections\/\d+$/)
  const inspection = inspectionRoutes.readInspection.answer.parse(await (await staff.fetch(location)).json())
  expect(inspection).toMatchObject({
    web_id: web,
    kind: 'refresh',
    state: 'waiting',
    requested_by: { id: staffId, email: 'staff@kustos.test' },
    problems: [],
  })
  expect(await logged()).toMatchObject([
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

test('one that is under way is not asked for twice; an audit beside it is', async () => {
  const answers = await Promise.all([ask(web), ask(web)])
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
  const sentence = 'A refresh of this web is already waiting or running.'
  expect(await answers.find(({ status }) => status === 409)?.json()).toEqual({
    message: sentence,
    error: sentence,
  })
  expect((await staff.send('POST', `/api/request/updateTracking/${web}`)).status).toBe(204)
})

test('what is not there, and who may not edit, is refused', async () => {
  for (const id of [deleted, 2_000_000_000]) expect((await ask(id)).status).toBe(404)
  expect((await ask('nothing')).status).toBeGreaterThanOrEqual(400)
  expect((await ask(web, viewer)).status).toBe(403)
  expect(await db.select().from(inspections)).toEqual([])
  expect(await logged()).toEqual([])
})
