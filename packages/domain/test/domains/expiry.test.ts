import { domainObject, startRdapServer } from '@kustos/clients/testing/rdap-server'
import { alerts, externalDomains, ownDomains, rdapServers, watchedDomains } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { nextLookupMs } from '../../src/domains/expiry.ts'
import { lookUpDueExpiries, syncWatchedDomains, warnOfExpiringDomains } from '../../src/domains/index.ts'
import { createContext } from '../../src/platform/context.ts'
import { addChannel, addRoute } from '../monitoring/add-route.ts'
import { openAlerting } from '../monitoring/alert-environment.ts'

const database = await testDatabase()
const { db } = database
const { tools } = await openAlerting(database)
const server = await startRdapServer()
const rdap = server.open()
afterAll(async () => {
  await rdap.close()
  await server.stop()
})

const start = new Date('2026-11-21T12:00:00Z')
const dayMs = 86_400_000
let now = start
const context = createContext(database, null, () => now)
const { signal } = new AbortController()
const inDays = (days: number) => new Date(start.getTime() + days * dayMs)

beforeEach(async () => {
  now = start
  server.state.replies = {}
  server.state.requests = []
  await database.owner.db.execute(
    sql`truncate ${watchedDomains}, ${externalDomains}, ${ownDomains}, ${rdapServers}, ${alerts} cascade`,
  )
})

async function watch(...names: string[]) {
  const rows = names.map((name) => ({ customer: 'A', fqdn: name, fqdn_ascii: name, domainprovider: 'P' }))
  await db.insert(externalDomains).values(rows)
  await db.execute(sql`update customers set alert_channels = '{slack}' where code = 'A'`)
  await syncWatchedDomains(context)
}
const lookUp = (afterSeconds = 10) => {
  now = new Date(now.getTime() + afterSeconds * 1000)
  return lookUpDueExpiries(context, rdap, signal)
}
const rowOf = async (name: string) => {
  const [row] = await db.select().from(watchedDomains).where(eq(watchedDomains.name, name))
  if (!row) throw new Error(`${name} is not watched`)
  return row
}
const dueInDays = async (name: string) =>
  (((await rowOf(name)).expiry_due_at?.getTime() ?? 0) - now.getTime()) / dayMs

describe('registrations are looked up', () => {
  test('once for each registrable domain, one after the other at a server', async () => {
    await watch('a.test', 'www.a.test', 'b.test')
    server.state.replies = {
      'a.test': domainObject('a.test', inDays(200).toISOString()),
      'b.test': domainObject('b.test', inDays(10).toISOString()),
    }
    expect(await lookUp()).toEqual({ checked: 1, unknown: 0 })
    expect(await lookUp(9)).toBeNull()
    expect(await lookUp(1)).toEqual({ checked: 1, unknown: 0 })
    expect(await lookUp()).toBeNull()
    expect(server.state.requests.toSorted()).toEqual(['a.test', 'b.test'])
    expect(await rowOf('a.test')).toMatchObject({
      expires_at: inDays(200),
      registrar: 'Registrar GmbH',
      expiry_error: null,
    })
    expect(await rowOf('www.a.test')).toMatchObject({ expires_at: null, expiry_due_at: null })
    expect(await dueInDays('a.test')).toBeGreaterThan(10)
    expect(await dueInDays('b.test')).toBeLessThan(2)
  })

  test('and unknown with its reason where a registry has no RDAP, or publishes no date', async () => {
    await watch('a.de', 'b.test', 'c.test')
    server.state.replies = { 'b.test': domainObject('b.test') }
    await lookUp()
    await lookUp()
    expect(await rowOf('a.de')).toMatchObject({ expires_at: null, expiry_error_code: 'rdap_no_server' })
    expect(await rowOf('b.test')).toMatchObject({ expires_at: null, expiry_error_code: 'rdap_no_expiry' })
    expect(await rowOf('c.test')).toMatchObject({
      expires_at: null,
      expiry_error_code: 'rdap_not_registered',
    })
    expect(await dueInDays('a.de')).toBeGreaterThan(29)
  })

  test('twice before one that is known counts as gone', async () => {
    await watch('a.test')
    server.state.replies = { 'a.test': domainObject('a.test', inDays(5).toISOString()) }
    await lookUp()
    expect(await warnOfExpiringDomains(context, tools)).toEqual({ warned: 1 })
    const afterDue = async () => {
      const due = (await rowOf('a.test')).expiry_due_at?.getTime() ?? 0
      await lookUp((due - now.getTime()) / 1000)
    }
    const known = { expires_at: inDays(5), registrar: 'Registrar GmbH' }
    server.state.replies = {}
    await afterDue()
    expect(await rowOf('a.test')).toMatchObject({ ...known, expiry_error_code: 'rdap_not_registered' })
    expect(await dueInDays('a.test')).toBeCloseTo(1 / 24)
    server.state.replies = { 'a.test': domainObject('a.test', inDays(5).toISOString()) }
    await afterDue()
    expect(await rowOf('a.test')).toMatchObject({ ...known, expiry_error_code: null })

    server.state.replies = {}
    await afterDue()
    await afterDue()
    expect(await rowOf('a.test')).toMatchObject({
      expires_at: null,
      registrar: null,
      expiry_error_code: 'rdap_not_registered',
    })
    expect(await dueInDays('a.test')).toBeCloseTo(1)
  })

  test('at all servers, whatever one of them answers', async () => {
    await watch('a.test', 'b.test')
    server.state.replies = {
      'a.test': domainObject('a.test', '+010000-01-01T00:00:00Z'),
      'b.test': domainObject('b.test', inDays(200).toISOString()),
    }
    await lookUp()
    await lookUp()
    expect(await rowOf('a.test')).toMatchObject({ expiry_error_code: 'rdap_answer_unreadable' })
    expect(await rowOf('b.test')).toMatchObject({ expires_at: inDays(200) })
  })

  test('not before a server allows it again', async () => {
    await watch('a.test')
    server.state.replies = { 'a.test': { status: 429, headers: { 'retry-after': '7200' } } }
    expect(await lookUp()).toEqual({ checked: 1, unknown: 1 })
    expect(await rowOf('a.test')).toMatchObject({
      expiry_error_code: 'rdap_rate_limited',
      expiry_failures: 1,
    })
    // Another domain of the same registry waits, too.
    await watch('b.test')
    expect(await lookUp(7000)).toBeNull()
    expect(await lookUp(200)).toMatchObject({ checked: 1 })
    expect(server.state.requests).toHaveLength(2)
  })

  test('at a server although thousands wait longer for another one, which has to be left alone', async () => {
    await db.execute(sql`
      insert into ${watchedDomains} (name, domain, dns_due_at, expiry_due_at)
      select name, name, ${now.toISOString()}::timestamptz, ${inDays(-9).toISOString()}::timestamptz
      from generate_series(1, 6000) number, lateral (select 'd' || number || '.slow' as name) named`)
    await db.insert(rdapServers).values({ server: 'https://rdap.slow', free_at: inDays(1) })
    await db
      .insert(watchedDomains)
      .values({ name: 'a.test', domain: 'a.test', dns_due_at: now, expiry_due_at: now })
    const serverOf = (name: string) => (name.endsWith('.slow') ? 'https://rdap.slow' : rdap.serverOf(name))
    now = new Date(now.getTime() + 10_000)
    expect(await lookUpDueExpiries(context, { ...rdap, serverOf }, signal)).toMatchObject({ checked: 1 })
    expect(server.state.requests).toEqual(['a.test'])
  })

  test('less often the more lookups fail in a row, keeping what is known', async () => {
    await watch('a.test')
    server.state.replies = { 'a.test': domainObject('a.test', inDays(3).toISOString()) }
    await lookUp()
    server.state.replies = { 'a.test': { status: 503 } }
    await lookUp(2 * 86_400)
    const pauses: number[] = []
    for (let attempt = 0; attempt < 8; attempt++) {
      const { expiry_due_at: due } = await rowOf('a.test')
      pauses.push(Math.round(((due?.getTime() ?? 0) - now.getTime()) / 3_600_000))
      await lookUp(((due?.getTime() ?? 0) - now.getTime()) / 1000)
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 24, 24, 24])
    expect(await rowOf('a.test')).toMatchObject({ expires_at: inDays(3), expiry_error_code: 'rdap_refused' })
    const [pause] = await db.select().from(rdapServers)
    expect(pause?.failures).toBe(9)
    expect((pause?.free_at.getTime() ?? 0) - now.getTime()).toBe(3_600_000)
  })

  test('more often the nearer the end is', () => {
    const daysTo = (days: number) => nextLookupMs(1, inDays(days), start) / dayMs
    fc.assert(
      fc.property(fc.integer({ min: -400, max: 4000 }), fc.nat(400), (days, more) => {
        expect(daysTo(days)).toBeLessThanOrEqual(daysTo(days + more))
        expect(daysTo(days)).toBeGreaterThan(0.2)
        expect(daysTo(days)).toBeLessThan(16)
      }),
    )
  })
})

describe('expiring domains are announced', () => {
  const titles = async () =>
    (await db.select({ content: alerts.content }).from(alerts).orderBy(alerts.id)).map(
      ({ content }) => content.title,
    )
  const warn = async (at: Date) => {
    now = at
    return (await warnOfExpiringDomains(context, tools))?.warned ?? 0
  }
  const expire = (name: string, at: Date | null) =>
    db.update(watchedDomains).set({ expires_at: at }).where(eq(watchedDomains.name, name))

  test('30, 7 and 1 days before, and once they have expired', async () => {
    await watch('a.test')
    await expire('a.test', inDays(40))
    const warned: number[] = []
    for (let day = 0; day <= 42; day++) if ((await warn(inDays(day))) > 0) warned.push(day)
    expect(warned).toEqual([10, 33, 39, 40])
    expect(await titles()).toEqual([
      'The domain a.test expires in 30 d',
      'The domain a.test expires in 7 d',
      'The domain a.test expires in 1 d',
      'The domain a.test has expired',
    ])
  })

  test('not while they are in no list', async () => {
    await watch('a.test')
    await expire('a.test', inDays(5))
    await db.delete(externalDomains)
    await syncWatchedDomains(context)
    expect(await warn(start)).toBe(0)
    await watch('a.test')
    expect(await warn(start)).toBe(1)
  })

  test('again once they are back in a list, since their warning ended when they left it', async () => {
    await watch('a.test')
    await expire('a.test', inDays(5))
    expect(await warn(start)).toBe(1)
    await db.delete(externalDomains)
    await syncWatchedDomains(context)
    await watch('a.test')
    expect(await warn(start)).toBe(1)
    expect(await warn(start)).toBe(0)
  })

  test('only after a lookup if they are back after more than a day, since they may have been renewed', async () => {
    await watch('a.test')
    await expire('a.test', inDays(5))
    await db.delete(externalDomains)
    await syncWatchedDomains(context)
    now = inDays(20)
    await watch('a.test')
    expect(await warn(inDays(20))).toBe(0)
    server.state.replies = { 'a.test': domainObject('a.test', inDays(25).toISOString()) }
    await lookUp()
    expect(await warn(inDays(20.1))).toBe(1)
    expect(await titles()).toEqual(['The domain a.test expires in 4 d 21 h'])
  })

  test('again once they are renewed', async () => {
    await watch('a.test')
    await expire('a.test', inDays(5))
    expect(await warn(start)).toBe(1)
    expect(await warn(start)).toBe(0)
    await expire('a.test', inDays(370))
    expect(await warn(start)).toBe(0)
    expect(await warn(inDays(365))).toBe(1)
  })

  test('once they have expired although the registrar should have renewed them', async () => {
    const row = { customer: 'A', fqdn: 'a.test', fqdn_ascii: 'a.test', auto_renew: true }
    await db.insert(ownDomains).values({ ...row, expires_at: inDays(2) })
    await db.execute(sql`update customers set alert_channels = '{slack}' where code = 'A'`)
    await syncWatchedDomains(context)
    const warned: number[] = []
    for (let day = 0; day <= 4; day++) if ((await warn(inDays(day))) > 0) warned.push(day)
    expect(warned).toEqual([3])
    expect(await titles()).toEqual(['The domain a.test has expired'])
  })

  test.each([
    ['the registry has already renewed', 367, 0],
    ['the registry says that they end on the same day', 2.5, 1],
  ])('of those that the registrar should have renewed if %s: %i', async (_, days, expected) => {
    const row = { customer: 'A', fqdn: 'a.test', fqdn_ascii: 'a.test', auto_renew: true }
    await db.insert(ownDomains).values({ ...row, expires_at: inDays(2) })
    await syncWatchedDomains(context)
    await expire('a.test', inDays(days))
    expect(await warn(inDays(4))).toBe(expected)
  })

  test('by the date of the registrar for own domains, unless it renews them', async () => {
    const own = (name: string, expires_at: Date | null, auto_renew: boolean | null) =>
      db.insert(ownDomains).values({ customer: 'A', fqdn: name, fqdn_ascii: name, expires_at, auto_renew })
    await own('soon.test', inDays(5), false)
    await own('late.test', inDays(300), null)
    await own('renewed.test', inDays(5), true)
    await own('silent.test', null, null)
    await syncWatchedDomains(context)
    await expire('late.test', inDays(5))
    await expire('silent.test', inDays(6))
    await warn(start)
    expect(await titles()).toEqual([
      'The domain soon.test expires in 5 d',
      'The domain silent.test expires in 6 d',
    ])
  })

  test('to the channels of the routes of a customer who has no website there', async () => {
    await db.execute(sql`delete from alert_routes`)
    const [desk, other] = [await addChannel(db, 'Desk'), await addChannel(db, 'Other')]
    const to = (channel: number) => [{ after_minutes: 0, channels: [channel], rotas: [] }]
    await addRoute(db, { severities: ['domain'], customers: ['B'], steps: to(other), continues: true })
    await addRoute(db, {
      severities: ['domain'],
      customers: ['A'],
      steps: to(desk),
      replaces_channels: true,
      position: 2,
    })
    await watch('a.test')
    await expire('a.test', inDays(5))
    await warn(start)
    expect(await db.select({ channel: alerts.channel, id: alerts.channel_id }).from(alerts)).toEqual([
      { channel: 'channel', id: desk },
    ])
    await db.execute(sql`delete from alert_routes`)
  })

  test('in one message if they are many', async () => {
    const names = ['a.test', 'b.test', 'c.test']
    await watch(...names)
    for (const name of names) await expire(name, inDays(2))
    expect(await warn(start)).toBe(3)
    expect(await titles()).toEqual(['Domains that expire soon or have expired: 3'])
  })
})
