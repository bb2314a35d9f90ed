import { externalDomains, inspections, logEntries, ownDomains, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { ApiClient, createUser, listen, signIn } from './api-client.ts'
import { invalidFields, invalidIds } from './invalid-values.ts'

// Invalid input to the routes of inspections, facts, audits, domains, mailboxes and probes.

const database = await testDatabase()
const { db } = database
const origin = await listen(database)
await createUser(database, 'admin@kustos.test', 'admin')

let admin = new ApiClient(origin)
let snapshot = ''
let domain = 0

const takeSnapshot = async () =>
  JSON.stringify([
    await db.select().from(webs),
    await db.select().from(externalDomains),
    await db.select().from(ownDomains),
    await db.select().from(inspections),
    await db.$count(logEntries),
  ])

const validDomain = { fqdn: 'kunde.example', customer: 'A', domainprovider: 'P' }

beforeAll(async () => {
  admin = await signIn(origin, 'admin@kustos.test')
  await admin.send('POST', '/api/webs', { fqdn: 'a.test', customer: 'A', configured_ip: '192.0.2.1' })
  const created = await admin.send('POST', '/api/externalDomains', validDomain)
  domain = ((await created.json()) as { id: number }).id
  snapshot = await takeSnapshot()
})

it.each(invalidIds)('does not find the id %s', async (id) => {
  for (const [method, path] of [
    ['GET', `/api/inspections/${id}`],
    ['GET', `/api/inspections/${id}/report`],
    ['GET', `/api/webs/${id}/facts`],
    ['GET', `/api/webs/${id}/tracking`],
    ['POST', `/api/request/refreshWeb/${id}`],
    ['POST', `/api/request/updateTracking/${id}`],
    ['POST', `/api/nodes/${id}/test`],
    ['POST', `/api/nodes/${id}/discovery`],
    ['GET', `/api/nodes/${id}/discovery`],
    ['PUT', `/api/externalDomains/${id}`],
    ['DELETE', `/api/externalDomains/${id}`],
    ['GET', `/api/monitoring/webs/${id}`],
    ['POST', `/api/maintenance-windows/${id}/end`],
    ['DELETE', `/api/maintenance-windows/${id}`],
    ['DELETE', `/api/rotas/${id}`],
    ['DELETE', `/api/rotas/1/overrides/${id}`],
    ['DELETE', `/api/alert-routes/${id}`],
    ['POST', `/api/webs/${id}/end-maintenance`],
    ['POST', `/api/alert-channels/${id}/test`],
    ['DELETE', `/api/alert-channels/${id}`],
  ] as const) {
    const { status } = await admin.send(method, path, method === 'PUT' ? validDomain : undefined)
    expect([method, path, status]).toEqual([method, path, 404])
  }
  expect(await takeSnapshot()).toBe(snapshot)
})

/** Messages of the validation library, which users should not see. */
const libraryMessage = /invalid|expected|received|pattern|too (?:big|small)|unrecognized|regex|nan\b|\/\^/i

it.each([
  ['/api/monitoring/webs/statistics?limit=0', 'limit', 'Must be a whole number from 1 to 10000'],
  ['/api/monitoring/webs/statistics?limit=99999', 'limit', 'Must be a whole number from 1 to 10000'],
  ['/api/monitoring/webs/statistics?web=abc', 'web', 'Must be an id, such as 17'],
  ['/api/monitoring/webs/statistics?web=2147483648', 'web', 'Must be an id, such as 17'],
  ['/api/monitoring/webs/statistics?web=1&web=2', 'web', 'Must be text'],
  ['/api/monitoring/webs/statistics?before=soon', 'before', 'Must be a time like 2026-01-31T12:00:00Z'],
  ['/api/monitoring/incidents?open=2', 'open', 'Must be 1'],
  ['/api/monitoring/webs/uptime?web=1&end=2026-01-31', 'begin', 'Must be a date like 2026-01-31'],
  ['/api/deployments?before=x', 'before', 'Must be an id, such as 17'],
  ['/api/deployments/1/lines?after=-1', 'after', 'At least 0'],
  ['/api/deployments/1/lines?after=x', 'after', 'Must be a number'],
  ['/api/webs?deleted=2', 'deleted', 'Must be 1'],
  ['/api/webs/export?lang=xx', 'lang', 'Must be one of en, de'],
])('%s names the invalid field %s', async (path, field, sentence) => {
  const response = await admin.fetch(path)
  const body = (await response.json()) as { message: string; errors: Record<string, string[]> }
  expect([response.status, body.errors[field]]).toEqual([422, [sentence]])
  expect(body.message).not.toMatch(libraryMessage)
})

it.each(['/api/limitis/domains', '/api/limitis/emails', '/api/externalDomains'])(
  '%s ignores unknown query parameters',
  async (path) => {
    expect((await admin.fetch(`${path}?limit=x&__proto__=1&%00=%00`)).status).toBe(200)
  },
)

describe('external domains', () => {
  it.each([
    ['nothing', {}],
    ['null', null],
    ['a list', []],
    ['numbers', { fqdn: 1, customer: 2, domainprovider: 3 }],
    ['an invalid time', { ...validDomain, fqdn: 'b.example', updated_at: 'yesterday' }],
  ])('are rejected for %s', async (what, body) => {
    for (const [method, path] of [
      ['POST', '/api/externalDomains'],
      ['PUT', `/api/externalDomains/${domain}`],
    ] as const) {
      // Only a change has a time.
      if (method === 'POST' && what === 'an invalid time') continue
      const response = await admin.send(method, path, JSON.stringify(body), {
        'content-type': 'application/json',
      })
      const { message, errors } = (await response.json()) as { message: string; errors: object }
      expect([method, what, response.status]).toEqual([method, what, 422])
      expect(message + JSON.stringify(errors)).not.toMatch(libraryMessage)
    }
    expect(await takeSnapshot()).toBe(snapshot)
  })

  it('never cause a 500 or a partial write', async () => {
    const wrong = invalidFields(['fqdn', 'customer', 'domainprovider', 'updated_at'])
    await fc.assert(
      fc.asyncProperty(wrong, async (fields) => {
        for (const [method, path] of [
          ['POST', '/api/externalDomains'],
          ['PUT', `/api/externalDomains/${domain}`],
        ] as const) {
          const before = await takeSnapshot()
          const { status } = await admin.send(method, path, { ...validDomain, ...fields })
          expect([201, 204, 409, 422]).toContain(status)
          if (status >= 400) expect(await takeSnapshot()).toBe(before)
        }
      }),
      { numRuns: 30 },
    )
  }, 60_000)
})
