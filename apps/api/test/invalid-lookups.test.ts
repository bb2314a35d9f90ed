import { externalDomains, inspections, logEntries, ownDomains, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { ApiClient, createUser, listen, signIn } from './api-client.ts'
import { invalidFields, invalidIds } from './invalid-values.ts'

// Bad input to what looks at webs and domains from outside: inspections, facts, audits, domains, mailboxes, probes.

const database = await testDatabase()
const { db } = database
const origin = await listen(database)
await createUser(database, 'admin@kustos.test', 'admin')

let admin = new ApiClient(origin)
let kept = ''
let domain = 0

const everything = async () =>
  JSON.stringify([
    await db.select().from(webs),
    await db.select().from(externalDomains),
    await db.select().from(ownDomains),
    await db.select().from(inspections),
    await db.$count(logEntries),
  ])

const right = { fqdn: 'kunde.example', customer: 'A', domainprovider: 'P' }

beforeAll(async () => {
  admin = await signIn(origin, 'admin@kustos.test')
  await admin.send('POST', '/api/webs', { fqdn: 'a.test', customer: 'A', configured_ip: '192.0.2.1' })
  const made = await admin.send('POST', '/api/externalDomains', right)
  domain = ((await made.json()) as { id: number }).id
  kept = await everything()
})

it.each(invalidIds)('does not find the id %s', async (id) => {
  for (const [method, path] of [
    ['GET', `/api/inspections/${id}`],
    ['GET', `/api/webs/${id}/facts`],
    ['GET', `/api/webs/${id}/tracking`],
    ['POST', `/api/request/refreshWeb/${id}`],
    ['POST', `/api/request/updateTracking/${id}`],
    ['PUT', `/api/externalDomains/${id}`],
    ['DELETE', `/api/externalDomains/${id}`],
    ['GET', `/api/monitoring/webs/${id}`],
  ] as const) {
    const { status } = await admin.send(method, path, method === 'PUT' ? right : undefined)
    expect([method, path, status]).toEqual([method, path, 404])
  }
  expect(await everything()).toBe(kept)
})

/** The library's words, which no member of staff should have to read. */
const raw = /invalid|expected|received|pattern|too (?:big|small)|unrecognized|regex|nan\b|\/\^/i

it.each([
  ['/api/monitoring/webs/statistics?limit=0', 'limit', 'Must be a whole number from 1 to 10000'],
  ['/api/monitoring/webs/statistics?limit=99999', 'limit', 'Must be a whole number from 1 to 10000'],
  ['/api/monitoring/webs/statistics?web=abc', 'web', 'Must be an id, such as 17'],
  ['/api/monitoring/webs/statistics?web=2147483648', 'web', 'Must be an id, such as 17'],
  ['/api/monitoring/webs/statistics?web=1&web=2', 'web', 'Must be a text'],
  ['/api/monitoring/webs/statistics?before=soon', 'before', 'Must be a time like 2026-01-31T12:00:00Z'],
  ['/api/monitoring/incidents?open=2', 'open', 'Must be 1'],
  ['/api/monitoring/webs/uptime?web=1&end=2026-01-31', 'begin', 'Must be a date like 2026-01-31'],
  ['/api/deployments?before=x', 'before', 'Must be an id, such as 17'],
  ['/api/deployments/1/lines?after=-1', 'after', 'At least 0'],
  ['/api/deployments/1/lines?after=x', 'after', 'Must be a number'],
  ['/api/webs?deleted=2', 'deleted', 'Must be 1'],
  ['/api/webs/export?lang=xx', 'lang', 'Must be one of en, de'],
])('%s says what is wrong: %s', async (path, field, sentence) => {
  const answer = await admin.fetch(path)
  const body = (await answer.json()) as { message: string; errors: Record<string, string[]> }
  expect([answer.status, body.errors[field]]).toEqual([422, [sentence]])
  expect(body.message).not.toMatch(raw)
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
    ['a time that is none', { ...right, fqdn: 'b.example', updated_at: 'yesterday' }],
  ])('rejects %s with sentences', async (what, body) => {
    for (const [method, path] of [
      ['POST', '/api/externalDomains'],
      ['PUT', `/api/externalDomains/${domain}`],
    ] as const) {
      // Only a change has a time.
      if (method === 'POST' && what.startsWith('a time')) continue
      const answer = await admin.send(method, path, JSON.stringify(body), {
        'content-type': 'application/json',
      })
      const { message, errors } = (await answer.json()) as { message: string; errors: object }
      expect([method, what, answer.status]).toEqual([method, what, 422])
      expect(message + JSON.stringify(errors)).not.toMatch(raw)
    }
    expect(await everything()).toBe(kept)
  })

  it('never cause a 500 or a partial write, whichever fields are invalid', async () => {
    const wrong = invalidFields(['fqdn', 'customer', 'domainprovider', 'updated_at'])
    await fc.assert(
      fc.asyncProperty(wrong, async (given) => {
        for (const [method, path] of [
          ['POST', '/api/externalDomains'],
          ['PUT', `/api/externalDomains/${domain}`],
        ] as const) {
          const before = await everything()
          const { status } = await admin.send(method, path, { ...right, ...given })
          expect([201, 204, 409, 422]).toContain(status)
          if (status >= 400) expect(await everything()).toBe(before)
        }
      }),
      { numRuns: 30 },
    )
  }, 60_000)
})
