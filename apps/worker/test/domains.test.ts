import { openDns } from '@kustos/clients/dns'
import { startDnsServer } from '@kustos/clients/testing/dns'
import { startRegistrarServer } from '@kustos/clients/testing/registrar-server'
import { nodes, ownDomains, registrarSyncs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { domainDuties } from '../src/jobs/external-domains.ts'
import { limitisDuties } from '../src/jobs/limitis.ts'
import { startWorker } from '../src/worker.ts'

const database = await testDatabase()

test("the registrar's domains are synced and checked; a registrar that is away is not asked again at once", async () => {
  const server = await startRegistrarServer()
  const names = await startDnsServer({ 'a.test': { SOA: 'ns.test', A: ['192.0.2.11'] } })
  const dns = openDns({ servers: [names.server], timeout: 250 })
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
  let ahead = 0
  const worker = startWorker({
    database,
    duties: [...limitisDuties({ registrar: server.registrar }), ...domainDuties({ dns })].map((duty) => ({
      ...duty,
      every: 20,
    })),
    log: pino({ level: 'silent' }),
    now: () => new Date(Date.now() + ahead),
  })
  onTestFinished(() => worker.stop())
  const list = () => database.db.select().from(ownDomains).orderBy(ownDomains.fqdn)
  await vi.waitFor(
    async () =>
      expect(await list()).toMatchObject([
        { fqdn: 'a.test', status: 1, mname: 'ns.test' },
        { fqdn: 'b.test', status: 3, mname: null },
      ]),
    { timeout: 5_000 },
  )

  server.state.failure = { list: 'mailboxes', page: 0, status: 401 }
  server.state.asked = []
  ahead = 3_601_000
  await vi.waitFor(async () => {
    expect(await database.db.select().from(registrarSyncs)).toMatchObject([
      { error: expect.stringMatching(/^The registrar does not accept the token/) },
    ])
  })
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(server.state.asked).toHaveLength(2)
  expect(await list()).toHaveLength(2)
})

test('there is nothing to sync where no registrar is configured', () => {
  expect(limitisDuties({ registrar: null })).toEqual([])
})
