import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspections, trackingAudits, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { requestInspection } from '@kustos/domain/inspections'
import { lockInTransaction } from '@kustos/domain/platform/locks'
import { and, eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { adminContext, createNodes, end, insertWebs, openWorkerEnvironment } from './worker-environment.ts'

const database = await testDatabase()
const { db } = database
const context = await adminContext(database)

const page = "<script>fbq('init','123456789012345')</script>"
let respond: (response: ServerResponse) => void = (response) => response.end(page)
const site = createServer((_, response) => {
  response.setHeader('content-type', 'text/html')
  respond(response)
})
site.listen(0, '127.0.0.1')
await once(site, 'listening')
afterAll(async () => {
  site.closeAllConnections()
  await new Promise((resolve) => site.close(resolve))
})
const { port } = site.address() as AddressInfo
const environment = await openWorkerEnvironment(database, {
  variables: { CONNECT_TO: `:443:127.0.0.1:1,:80:127.0.0.1:${port}` },
})
const [node = 0] = await createNodes(database, 1)

const listStates = async (web: number) => {
  const rows = await db
    .select()
    .from(inspections)
    // At night, workers request refreshes as well.
    .where(and(eq(inspections.web_id, web), eq(inspections.kind, 'tracking')))
    .orderBy(inspections.id)
  return rows.map(({ state }) => state)
}

test('runs requested and daily audits, and continues those of a stopped worker', async () => {
  const [requested = 0, daily = 0] = await insertWebs(database, [node], 2)
  await db.update(webs).set({ status: 0, domain_status: 1 }).where(eq(webs.id, daily))
  let markVisited = () => {}
  const visited = new Promise<void>((resolve) => {
    markVisited = resolve
  })
  // The site does not respond to the first worker.
  respond = () => markVisited()
  await requestInspection(context, environment.tools, 'tracking', requested)
  const first = await environment.startWorker()
  await visited
  await expect.poll(() => listStates(requested)).toEqual(['running'])
  expect(await end(first, 'SIGTERM')).toBeLessThan(9_000)
  expect(await listStates(requested)).toEqual(['waiting'])

  respond = (response) => response.end(page)
  const second = await environment.startWorker()
  for (const web of [requested, daily])
    await expect.poll(() => listStates(web), { timeout: 30_000, interval: 100 }).toEqual(['succeeded'])
  await end(second, 'SIGTERM')
  const known = await db.select({ tracking: webs.tracking_data }).from(webs).orderBy(webs.id)
  for (const { tracking } of known)
    expect(tracking?.tracking_services.facebookads).toMatchObject([{ id: '123456789012345' }])
  expect(await db.select().from(trackingAudits)).toHaveLength(2)
})

test('a worker that is asked to stop while it starts hands back the audit that it has begun', async () => {
  const [web = 0] = await insertWebs(database, [node], 1)
  let worker: ReturnType<typeof environment.spawnWorker> | undefined
  const visited = new Promise<void>((resolve) => {
    respond = () => resolve()
  })
  await requestInspection(context, environment.tools, 'tracking', web)
  // The worker takes jobs, but has to wait for this lock before it can schedule its periodic tasks.
  await db.transaction(async (tx) => {
    await lockInTransaction(tx, 'periodic-tasks')
    worker = environment.spawnWorker()
    worker.stdout?.resume()
    await visited
    worker.kill('SIGTERM')
    await expect.poll(() => listStates(web)).toEqual(['waiting'])
  })
  if (worker) await end(worker, 'SIGTERM')
})
