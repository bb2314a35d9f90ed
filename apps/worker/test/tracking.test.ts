import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspections, trackingAudits, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { requestInspection } from '@kustos/domain/inspections'
import { and, eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { adminContext, end, makeNodes, makeWebs, openWorking } from './working.ts'

const database = await testDatabase()
const { db } = database
const context = await adminContext(database)

const page = "<script>fbq('init','123456789012345')</script>"
let answer: (response: ServerResponse) => void = (response) => response.end(page)
const world = createServer((_, response) => {
  response.setHeader('content-type', 'text/html')
  answer(response)
})
world.listen(0, '127.0.0.1')
await once(world, 'listening')
afterAll(async () => {
  world.closeAllConnections()
  await new Promise((resolve) => world.close(resolve))
})
const { port } = world.address() as AddressInfo
const working = await openWorking(database, {
  variables: { CONNECT_TO: `:443:127.0.0.1:1,:80:127.0.0.1:${port}` },
})
const [node = 0] = await makeNodes(database, 1)

const stateOf = async (web: number) => {
  const rows = await db
    .select()
    .from(inspections)
    // By night, refreshes are asked for as well.
    .where(and(eq(inspections.web_id, web), eq(inspections.kind, 'tracking')))
    .orderBy(inspections.id)
  return rows.map(({ state }) => state)
}

test('runs requested and daily audits; another worker takes over from one that stops', async () => {
  const [asked = 0, listed = 0] = await makeWebs(database, [node], 2)
  await db.update(webs).set({ status: 0, domain_status: 1 }).where(eq(webs.id, listed))
  let isAsked = () => {}
  const request = new Promise<void>((resolve) => {
    isAsked = resolve
  })
  // Nobody answers the first worker.
  answer = () => isAsked()
  await requestInspection(context, working.tools, 'tracking', asked)
  const first = await working.startWorker()
  await request
  await expect.poll(() => stateOf(asked)).toEqual(['running'])
  expect(await end(first, 'SIGTERM')).toBeLessThan(9_000)
  expect(await stateOf(asked)).toEqual(['waiting'])

  answer = (response) => response.end(page)
  const second = await working.startWorker()
  for (const web of [asked, listed])
    await expect.poll(() => stateOf(web), { timeout: 15_000, interval: 100 }).toEqual(['succeeded'])
  await end(second, 'SIGTERM')
  const known = await db.select({ tracking: webs.tracking_data }).from(webs).orderBy(webs.id)
  for (const { tracking } of known)
    expect(tracking?.tracking_services.facebookads).toMatchObject([{ id: '123456789012345' }])
  expect(await db.select().from(trackingAudits)).toHaveLength(2)
})
