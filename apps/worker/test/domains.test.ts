import { openDns } from '@kustos/clients/dns'
import { startDnsServer } from '@kustos/clients/testing/dns'
import { startRegistrarServer } from '@kustos/clients/testing/registrar-server'
import { nodes, ownDomains, registrarSyncs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { domainTasks } from '../src/jobs/external-domains.ts'
import { limitisTasks } from '../src/jobs/limitis.ts'
import { startTasks } from './start-tasks.ts'

const database = await testDatabase()

test("syncs and checks the registrar's domains, and backs off while it is down", async () => {
  const server = await startRegistrarServer()
  const names = await startDnsServer({ 'a.test': { SOA: 'ns.test', A: ['192.0.2.11'] } })
  const dns = openDns({ servers: [names.server], timeoutMs: 250 })
  onTestFinished(async () => {
    dns.close()
    await names.stop()
    await server.stop()
  })
  await database.db.insert(nodes).values({ name: 'node', plesk_fqdn: 'node.test', address: '192.0.2.11' })
  server.state.domains = [
    { fqdn: 'a.test', customer: 'A' },
    { fqdn: 'b.test', customer: 'B' },
  ]
  let aheadMs = 0
  const tasks = [...limitisTasks({ registrar: server.registrar }), ...domainTasks({ dns })]
  await startTasks(
    database,
    tasks.map((task) => ({ ...task, everyMs: 50 })),
    { now: () => new Date(Date.now() + aheadMs) },
  )
  const list = () => database.db.select().from(ownDomains).orderBy(ownDomains.fqdn)
  await vi.waitFor(
    async () =>
      expect(await list()).toMatchObject([
        { fqdn: 'a.test', status: 1, mname: 'ns.test' },
        { fqdn: 'b.test', status: 3, mname: null },
      ]),
    { timeout: 30_000 },
  )

  server.state.failure = { list: 'mailboxes', page: 0, status: 401 }
  server.state.requests = []
  aheadMs = 3_601_000
  await vi.waitFor(async () => {
    expect(await database.db.select().from(registrarSyncs)).toMatchObject([
      { error: expect.stringMatching(/^The registrar does not accept the token/) },
    ])
  }, 10_000)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(server.state.requests).toHaveLength(2)
  expect(await list()).toHaveLength(2)
})

test('does nothing if no registrar is configured', () => {
  expect(limitisTasks({ registrar: null })).toEqual([])
})
