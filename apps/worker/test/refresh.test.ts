import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startDnsServer } from '@kustos/clients/testing/dns'
import { startPleskServer } from '@kustos/clients/testing/plesk-server'
import { inspections, logEntries, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { requestInspection } from '@kustos/domain/inspections'
import { and, eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { adminContext, createNodes, end, insertWebs, openWorkerEnvironment } from './worker-environment.ts'

const database = await testDatabase()
const { db } = database
const context = await adminContext(database)

const site = createServer((_, response) => {
  response.setHeader('content-type', 'text/html')
  response.end('<meta name="generator" content="WordPress 6.8.3">')
})
site.listen(0, '127.0.0.1')
await once(site, 'listening')
const { port } = site.address() as AddressInfo
const panel = await startPleskServer('n1.plesk.test')
const names = await startDnsServer({})
afterAll(async () => {
  site.closeAllConnections()
  await new Promise((resolve) => site.close(resolve))
  await panel.stop()
  await names.stop()
})

test('refreshes a web with the API keys and pins of the environment', async () => {
  const environment = await openWorkerEnvironment(database, {
    variables: {
      CONNECT_TO: `n1.plesk.test:8443:127.0.0.1:${panel.port},:443:127.0.0.1:1,:80:127.0.0.1:${port}`,
      DNS_SERVERS: names.server,
      PLESK_API_KEYS: 'n1=secret',
      PLESK_CERTIFICATES: `n1=${panel.fingerprint}`,
    },
  })
  const [web = 0] = await insertWebs(database, await createNodes(database, 1), 1)
  const [row] = await db.select({ fqdn: webs.fqdn }).from(webs)
  const fqdn = row?.fqdn ?? ''
  names.state.zone = { [fqdn]: { A: ['192.0.2.1'] } }
  const domain = { id: 3, name: fqdn, base_domain_id: 0, aliases: [] }
  panel.responses.set(`GET /api/v2/domains?name=${fqdn}`, [domain])
  panel.responses.set('GET /api/v2/domains', [domain])
  panel.responses.set('GET /api/v2/domains/3/status', { status: 'suspended' })
  const stdout = 'FTP Login: other_1\nDisk space used by httpdocs: 1.0 MB'
  panel.responses.set('POST /api/v2/cli/domain/call', { code: 0, stdout })

  const id = await requestInspection(context, environment.tools, 'refresh', web)
  const worker = await environment.startWorker()
  const state = async () => (await db.select().from(inspections).where(eq(inspections.id, id)))[0]?.state
  // It succeeds because a web that listens only on port 80 needs no certificate.
  await expect.poll(state, { timeout: 30_000, interval: 100 }).toBe('succeeded')
  await end(worker, 'SIGTERM')
  expect(await db.select().from(webs)).toMatchObject([
    {
      status: 16,
      sysuser: 'other_1',
      disk_usage: 1_048_576,
      domain_status: 1,
      http_status_code: 200,
      framework_name: 'WordPress',
      framework_version: '6.8.3',
    },
  ])
  expect(new Set(panel.requests.map(({ key }) => key))).toEqual(new Set(['secret']))
  const logged = and(eq(logEntries.log_name, 'webs'), eq(logEntries.description, 'refreshed'))
  expect(await db.select().from(logEntries).where(logged)).toMatchObject([
    { subject_id: web, causer_id: context.actor?.id },
  ])
})
