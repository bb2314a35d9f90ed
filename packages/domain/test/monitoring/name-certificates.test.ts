import { type NameChecker, openNameChecker } from '@kustos/clients/certificates'
import { openCertificateSites } from '@kustos/clients/testing/certificate-sites'
import {
  alerts,
  certificateChecks,
  certificateWarnings,
  webCertificates,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { warnOfCertificates } from '../../src/monitoring/alerts/index.ts'
import { checkCertificates } from '../../src/monitoring/certificates/index.ts'
import { checkReplacedCertificates } from '../../src/monitoring/certificates/note-seen.ts'
import { editWeb } from '../../src/webs/index.ts'
import { openAlerting } from './alert-environment.ts'
import { monitoredWeb } from './rounds.ts'

const database = await testDatabase()
const { db } = database
const { tools, context, now, advanceMs, reset, listAlerts } = await openAlerting(database)
const sites = await openCertificateSites()
const checker = openNameChecker(sites.settings)
afterAll(() => checker.close())

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const here = { A: ['127.0.0.1'] }

beforeEach(async () => {
  // Certificates are valid by the clock of this machine.
  reset(new Date().toISOString())
  sites.forgetAll()
  await db.delete(alerts)
  await db.delete(certificateWarnings)
  await db.delete(webs)
})

async function addWeb(fqdn: string, more: Partial<typeof webs.$inferInsert> = {}): Promise<number> {
  const [web] = await db
    .insert(webs)
    .values(monitoredWeb(fqdn, { monitoring_web_reporting_channel: 'slack', ...more }))
    .returning({ id: webs.id })
  if (!web) throw new Error('The web was not stored')
  return web.id
}

const check = () => checkCertificates(context, checker, { internalMarker: '.intern.' })

const readNames = () => db.select().from(webCertificates).orderBy(asc(webCertificates.name))

async function readState(name: string) {
  const [row] = await db.select().from(webCertificates).where(eq(webCertificates.name, name))
  return row?.state
}

/** @returns the new alerts */
async function warn(): Promise<string[]> {
  const before = (await listAlerts()).length
  await warnOfCertificates(context, tools, '.intern.')
  return (await listAlerts()).slice(before)
}

test('checks a web, its counterpart with www, its sites and its aliases', async () => {
  await addWeb('a.test', {
    sites: [{ fqdn: 'shop.a.test' }, { fqdn: 'a.test' }],
    aliases: [{ fqdn: 'käse.test' }, { fqdn: '*.a.test' }, { fqdn: 'gone.test' }, { fqdn: 'moved.test' }],
  })
  const names = ['a.test', 'www.a.test', 'shop.a.test', 'xn--kse-qla.test']
  sites.dns.zone = {
    ...Object.fromEntries(names.map((name) => [name, here])),
    'moved.test': { A: ['127.0.0.9'] },
  }
  const own = await sites.issue({ names: ['a.test', 'www.a.test', 'shop.a.test'] })
  for (const name of names) sites.show(name, own)
  expect(await check()).toEqual({ checked: 1 })
  expect(
    (await readNames()).map(({ name, kind, state, covers_name }) => [name, kind, state, covers_name]),
  ).toEqual([
    ['a.test', 'main', 'valid', true],
    ['gone.test', 'alias', 'unresolved', null],
    ['moved.test', 'alias', 'elsewhere', null],
    ['shop.a.test', 'site', 'valid', true],
    ['www.a.test', 'www', 'valid', true],
    ['xn--kse-qla.test', 'alias', 'wrong_name', false],
  ])
})

test('knows the addresses of a web in any notation', async () => {
  const fields = {
    configured_ip: '2001:DB8:0:0:0:0:0:5',
    aliases: [{ fqdn: 'shop.test' }, { fqdn: 'moved.test' }],
  }
  await addWeb('a.test', fields)
  const certificate = {
    authority: 'Tyrol Trust',
    from: new Date(now().getTime() - day),
    expiration: new Date(now().getTime() + 60 * day),
    fingerprint: 'AB:CD',
    coversName: false,
    isTrusted: true,
  }
  const addresses = new Map([
    ['a.test', '203.0.113.7'],
    ['shop.test', '2001:db8::5'],
    ['moved.test', '2001:db8::6'],
  ])
  const check = async (name: string) => ({
    addresses: [addresses.get(name) ?? ''],
    ipv4: null,
    ipv6: { certificate, failure: null, isOwn: false },
  })
  await checkCertificates(context, { check }, { internalMarker: '.intern.' })
  expect([await readState('shop.test'), await readState('moved.test')]).toEqual(['wrong_name', 'elsewhere'])
})

test('takes a certificate with an invalid end for one that browsers refuse, and checks the other webs', async () => {
  await addWeb('a.test')
  await addWeb('b.test')
  sites.dns.zone = { 'a.test': here, 'b.test': here }
  const { key, cert } = await sites.issue({ names: ['a.test'] })
  const der = Buffer.from(cert.replaceAll(/-----.*?-----|\s/g, ''), 'base64')
  // The beginning and the end are UTCTime with 13 characters.
  const utcTime = Buffer.from([0x17, 13])
  der.write('991399999999Z', der.indexOf(utcTime, der.indexOf(utcTime) + 15) + 2, 'latin1')
  const body = der.toString('base64').match(/.{1,64}/g) ?? []
  const odd = ['-----BEGIN CERTIFICATE-----', ...body, '-----END CERTIFICATE-----', ''].join('\n')
  sites.show('a.test', { key, cert: odd })
  sites.show('b.test', await sites.issue({ names: ['b.test'] }))
  expect(await check()).toEqual({ checked: 2 })
  expect((await readNames()).map(({ name, state, valid_to }) => [name, state, valid_to])).toEqual([
    ['a.test', 'untrusted', null],
    ['b.test', 'valid', expect.any(Date)],
  ])
})

test('leaves out a counterpart that is not there, and names that the web no longer has', async () => {
  const web = await addWeb('a.test', { aliases: [{ fqdn: 'b.test' }] })
  sites.dns.zone = { 'a.test': here, 'b.test': here }
  await check()
  expect((await readNames()).map(({ name }) => name)).toEqual(['a.test', 'b.test'])
  await db.update(webs).set({ aliases: [] }).where(eq(webs.id, web))
  advanceMs(hour)
  await check()
  expect((await readNames()).map(({ name }) => name)).toEqual(['a.test'])
})

test('forgets what the former name of a renamed web showed, also while it is checked', async () => {
  const web = await addWeb('a.test', { aliases: [{ fqdn: 'b.test' }] })
  sites.dns.zone = { 'a.test': here, 'www.a.test': here, 'b.test': here }
  const own = await sites.issue({ names: ['a.test', 'www.a.test', 'b.test'] })
  for (const name of ['a.test', 'www.a.test', 'b.test']) sites.show(name, own)
  const rename = (fqdn: string) =>
    editWeb(context, web, { fqdn, customer: 'ALPEN', configured_ip: '127.0.0.1' })
  const names = async () => (await readNames()).map(({ name, kind }) => `${kind} ${name}`)
  await check()
  expect(await names()).toEqual(['main a.test', 'alias b.test', 'www www.a.test'])
  await rename('c.test')
  expect(await names()).toEqual(['alias b.test'])
  const checkedDuring: NameChecker['check'] = async (name, signal) => {
    if (name === 'c.test') await rename('d.test')
    return checker.check(name, signal)
  }
  expect(await checkCertificates(context, { check: checkedDuring }, { internalMarker: '' })).toEqual({
    checked: 1,
  })
  expect(await names()).toEqual(['alias b.test'])
  expect(await check()).toEqual({ checked: 1 })
  expect(await names()).toEqual(['alias b.test', 'main d.test'])
})

describe('a web is checked', () => {
  test('once an hour while it is monitored', async () => {
    await addWeb('a.test')
    await addWeb('paused.test', { monitoring_web_active: false })
    sites.dns.zone = { 'a.test': here }
    expect(await check()).toEqual({ checked: 1 })
    expect(await check()).toBeNull()
    advanceMs(hour - minute)
    expect(await check()).toBeNull()
    advanceMs(minute)
    expect(await check()).toEqual({ checked: 1 })
  })

  test('in turn, if there are more than a run takes', async () => {
    const aliases = [{ fqdn: 'shared.test' }]
    for (let number = 0; number < 25; number++) await addWeb(`w${number}.test`, { aliases })
    expect(await check()).toEqual({ checked: 20 })
    expect(await check()).toEqual({ checked: 5 })
    expect(await check()).toBeNull()
  })

  test('at once when a probe sees another certificate, or one that browsers refuse', async () => {
    const web = await addWeb('a.test')
    sites.dns.zone = { 'a.test': here }
    sites.show('a.test', await sites.issue({ names: ['a.test'] }))
    await check()
    const [{ fingerprint = null } = {}] = await readNames()
    const seen = (shown: string | null) =>
      db.transaction((tx) => checkReplacedCertificates(tx, new Map([[web, { fingerprint: shown }]])))
    await seen(fingerprint)
    expect(await check()).toBeNull()
    await seen('00:11')
    expect(await check()).toEqual({ checked: 1 })
    expect(await check()).toBeNull()
    await seen(null)
    expect(await check()).toEqual({ checked: 1 })
  })

  test('every five minutes if an alias has a certificate of its own, which probes do not see', async () => {
    await addWeb('a.test', { aliases: [{ fqdn: 'b.test' }] })
    sites.dns.zone = { 'a.test': here, 'b.test': here }
    sites.show('a.test', await sites.issue({ names: ['a.test'] }))
    sites.show('b.test', await sites.issue({ names: ['b.test'] }))
    await check()
    sites.show('b.test', await sites.issue({ names: ['other.test'] }))
    advanceMs(5 * minute)
    expect(await check()).toEqual({ checked: 1 })
    expect(await warn()).toEqual([
      'slack The certificate of b.test is wrong: the certificate is for another name',
    ])
    sites.forgetAll()
    sites.dns.zone = { 'a.test': here }
    advanceMs(5 * minute)
    expect(await check()).toEqual({ checked: 1 })
    advanceMs(5 * minute)
    expect(await check()).toBeNull()
  })

  test('as often if many are, so that a run takes more of them', async () => {
    const names = Array.from({ length: 340 }, (_, number) => `w${number}.test`)
    const rows = await db
      .insert(webs)
      .values(names.map((fqdn) => monitoredWeb(fqdn)))
      .returning({ id: webs.id })
    const shown = { checked_at: now(), state: 'valid', ipv6: 'none' } as const
    await db.insert(webCertificates).values(
      rows.flatMap(({ id }) => [
        { ...shown, web_id: id, name: `w${id}.test`, kind: 'main' as const, fingerprint: 'AA' },
        { ...shown, web_id: id, name: `b${id}.test`, kind: 'alias' as const, fingerprint: 'BB' },
      ]),
    )
    expect(await check()).toEqual({ checked: 21 })
  })

  test('again soon if its worker has died', async () => {
    await addWeb('a.test')
    await checkCertificates(context, checker, { internalMarker: '' }, AbortSignal.abort())
    expect(await readNames()).toEqual([])
    advanceMs(5 * minute)
    expect(await check()).toEqual({ checked: 1 })
  })
})

describe('a certificate that replaces another', () => {
  test('and is older and ends earlier is wrong until a newer one comes', async () => {
    await addWeb('a.test')
    sites.dns.zone = { 'a.test': here }
    const issue = (fromMs: number, untilMs: number) => sites.issue({ names: ['a.test'], fromMs, untilMs })
    const seen: (string | undefined)[] = []
    for (const credentials of [
      await issue(-2 * day, 88 * day),
      await issue(-60 * day, 30 * day),
      // One of six days that was issued later is a renewal.
      await issue(-hour, 6 * day),
    ]) {
      sites.show('a.test', credentials)
      for (const _ of [1, 2]) {
        advanceMs(hour)
        await check()
        seen.push(await readState('a.test'))
      }
      expect(await warn()).toEqual(
        seen.length === 4
          ? [
              'slack The certificate of a.test is wrong: an older certificate, which ends earlier, has replaced it',
            ]
          : [],
      )
    }
    expect(seen).toEqual(['valid', 'valid', 'replaced', 'replaced', 'valid', 'valid'])
  })

  test('and is older stays wrong after a check that did not reach the web', async () => {
    await addWeb('a.test')
    sites.dns.zone = { 'a.test': here }
    const issue = (fromMs: number, untilMs: number) => sites.issue({ names: ['a.test'], fromMs, untilMs })
    const [newer, older] = [await issue(-2 * day, 88 * day), await issue(-60 * day, 30 * day)]
    const seen: (string | undefined)[] = []
    for (const credentials of [newer, older, null, null, older, newer, null, newer]) {
      sites.forgetAll()
      sites.dns.zone = { 'a.test': here }
      if (credentials !== null) sites.show('a.test', credentials)
      advanceMs(hour)
      await check()
      seen.push(await readState('a.test'))
    }
    expect(seen).toEqual([
      'valid',
      'replaced',
      'unreachable',
      'unreachable',
      'replaced',
      'valid',
      'unreachable',
      'valid',
    ])
  })

  test('of its counterpart with www stays wrong, and is not announced again, after a check that did not reach it', async () => {
    await addWeb('a.test')
    const zone = { 'a.test': here, 'www.a.test': here }
    const issue = (fromMs: number, untilMs: number) => sites.issue({ names: ['www.a.test'], fromMs, untilMs })
    const own = await sites.issue({ names: ['a.test'] })
    const [newer, older] = [await issue(-2 * day, 88 * day), await issue(-60 * day, 30 * day)]
    const seen: string[] = []
    for (const credentials of [newer, older, null, older]) {
      sites.forgetAll()
      sites.dns.zone = zone
      sites.show('a.test', own)
      if (credentials !== null) sites.show('www.a.test', credentials)
      advanceMs(hour)
      await check()
      seen.push(`${await readState('www.a.test')}: ${await warn()}`)
    }
    expect(seen).toEqual([
      'valid: ',
      'replaced: slack The certificate of www.a.test is wrong: an older certificate, which ends earlier, has replaced it',
      'unreachable: ',
      'replaced: ',
    ])
    sites.dns.zone = { 'a.test': here }
    advanceMs(hour)
    await check()
    expect(await readState('www.a.test')).toBeUndefined()
  })

  test('of an alias and does not cover it stays wrong, and is not announced again, after a check that did not reach it', async () => {
    await addWeb('a.test', { aliases: [{ fqdn: 'b.test' }] })
    const [own, newOne] = [await sites.issue({ names: ['a.test'] }), await sites.issue({ names: ['a.test'] })]
    const good = await sites.issue({ names: ['b.test'] })
    const [start, seen]: [number, string[]] = [now().getTime(), []]
    const untrusted = await sites.selfSigned({ names: ['b.test'] })
    for (const credentials of [own, null, newOne, null, untrusted, good, own]) {
      advanceMs(day)
      sites.forgetAll()
      sites.dns.zone = { 'a.test': here, 'b.test': here }
      sites.show('a.test', own)
      if (credentials !== null) sites.show('b.test', credentials)
      await check()
      const { state, wrong_since: since } = (await readNames()).find(({ name }) => name === 'b.test') ?? {}
      const days = since == null ? '' : (since.getTime() - start) / day
      seen.push(`${state} ${days}: ${(await warn()).length}`)
    }
    expect(seen).toEqual([
      'wrong_name 1: 1',
      'unreachable 1: 0',
      'wrong_name 1: 0',
      'unreachable 1: 0',
      'untrusted 5: 1',
      'valid : 0',
      'wrong_name 7: 1',
    ])
  })

  test('of an alias and does not cover it is announced once, and again when it has been mended and broken', async () => {
    await addWeb('a.test', { aliases: [{ fqdn: 'b.test' }] })
    sites.dns.zone = { 'a.test': here, 'b.test': here }
    // The good one is older, and ends earlier.
    const [good, bad] = [
      await sites.issue({ names: ['a.test', 'b.test'], fromMs: -2 * day, untilMs: 88 * day }),
      await sites.issue({ names: ['a.test'], fromMs: -day, untilMs: 89 * day }),
    ]
    sites.show('a.test', good)
    const messages: string[] = []
    for (const credentials of [good, bad, bad, good, bad]) {
      sites.show('b.test', credentials)
      await check()
      messages.push(`${await readState('b.test')}: ${await warn()}`)
      advanceMs(13 * hour)
    }
    const announced = 'slack The certificate of b.test is wrong: the certificate is for another name'
    expect(messages).toEqual([
      'valid: ',
      `wrong_name: ${announced}`,
      'wrong_name: ',
      'valid: ',
      `wrong_name: ${announced}`,
    ])
  })
})

test('warns of a certificate of an alias by its lifetime, and not twice of one that it shares', async () => {
  await addWeb('a.test', {
    aliases: [{ fqdn: 'b.test' }, { fqdn: 'www.a.test' }],
    cert_expiration: new Date(now().getTime() + 60 * day),
  })
  const begin = now().getTime()
  const ofSixDays = {
    valid_from: new Date(begin - hour),
    valid_to: new Date(begin + 159 * hour),
    fingerprint: 'AA',
  }
  const row = {
    web_id: (await db.select().from(webs))[0]?.id ?? 0,
    checked_at: now(),
    ipv6: 'none',
    state: 'valid',
  } as const
  await db.insert(webCertificates).values([
    { ...row, name: 'a.test', kind: 'main' },
    { ...row, name: 'b.test', kind: 'alias', ...ofSixDays },
    { ...row, name: 'www.a.test', kind: 'alias', valid_to: new Date(begin + 60 * day), valid_from: now() },
  ])
  const messages: string[] = []
  for (let hours = 0; hours <= 162; hours += 3) {
    for (const message of await warn()) messages.push(`after ${hours} h: ${message}`)
    advanceMs(3 * hour)
  }
  expect(messages).toEqual([
    'after 120 h: slack The certificate of b.test expires in 1 d 15 h',
    'after 144 h: slack The certificate of b.test expires in 15 h',
    'after 156 h: slack The certificate of b.test expires in 3 h',
    'after 159 h: slack The certificate of b.test has expired',
  ])
})

test('takes a certificate that a name shares with the web for the same, also when only probes have seen the renewed one', async () => {
  const web = await addWeb('a.test', { cert_expiration: new Date(now().getTime() + 90 * day) })
  const row = { web_id: web, checked_at: now(), state: 'valid', ipv6: 'none', fingerprint: 'AA' } as const
  const valid_to = new Date(now().getTime() + hour)
  await db.insert(webCertificates).values([
    { ...row, name: 'a.test', kind: 'main', valid_to },
    { ...row, name: 'www.a.test', kind: 'www', valid_to },
  ])
  expect(await warn()).toEqual([])
})

describe('IPv6', () => {
  const both = { A: ['127.0.0.1'], AAAA: ['::1'] }
  const readIpv6 = async () => (await readNames())[0]

  test('fails after a second check a minute later, while the web is up, and works again', async () => {
    await addWeb('a.test')
    sites.dns.zone = { 'a.test': both }
    const own = await sites.issue({ names: ['a.test'] })
    sites.show('a.test', own, [4])
    await check()
    expect(await readIpv6()).toMatchObject({ state: 'valid', ipv6: 'unconfirmed' })
    advanceMs(minute)
    await check()
    expect(await readIpv6()).toMatchObject({
      state: 'valid',
      ipv6: 'failing',
      ipv6_reason_code: 'handshake_closed',
      ipv6_since: new Date(now().getTime() - minute),
    })
    sites.show('a.test', own)
    advanceMs(hour)
    await check()
    expect(await readIpv6()).toMatchObject({ ipv6: 'working', ipv6_reason: null, ipv6_since: null })
  })

  test('stays failing or working after the check of a worker without it', async () => {
    await addWeb('a.test')
    await addWeb('b.test')
    sites.dns.zone = { 'a.test': both, 'b.test': both }
    const own = await sites.issue({ names: ['a.test', 'b.test'] })
    sites.show('a.test', own, [4])
    sites.show('b.test', own)
    await check()
    advanceMs(minute)
    await check()
    const known = (await readNames()).map(({ ipv6, ipv6_reason_code, ipv6_since }) => [
      ipv6,
      ipv6_reason_code,
      ipv6_since,
    ])
    expect(known).toEqual([
      ['failing', 'handshake_closed', new Date(now().getTime() - minute)],
      ['working', null, null],
    ])
    const noRoute = { A: ['127.0.0.1'], AAAA: ['ff02::1'] }
    sites.dns.zone = { 'a.test': noRoute, 'b.test': noRoute }
    advanceMs(hour)
    const without = openNameChecker(sites.settings)
    onTestFinished(() => without.close())
    const checkWithout = () => checkCertificates(context, without, { internalMarker: '' })
    expect(await checkWithout()).toEqual({ checked: 2 })
    const after = await readNames()
    expect(after.map(({ checked_at }) => checked_at)).toEqual([now(), now()])
    expect(
      after.map(({ ipv6, ipv6_reason_code, ipv6_since }) => [ipv6, ipv6_reason_code, ipv6_since]),
    ).toEqual(known)
    // An address that is gone has nothing to fail.
    sites.dns.zone = { 'a.test': here, 'b.test': here }
    advanceMs(hour)
    await checkWithout()
    expect((await readNames()).map(({ ipv6 }) => ipv6)).toEqual(['none', 'none'])
  })

  test('fails if it shows another certificate', async () => {
    await addWeb('a.test')
    sites.dns.zone = { 'a.test': both }
    sites.show('a.test', await sites.issue({ names: ['a.test'] }), [4])
    sites.show('a.test', await sites.issue({ names: ['old.test'] }), [6])
    await check()
    advanceMs(minute)
    await check()
    expect(await readIpv6()).toMatchObject({
      state: 'valid',
      ipv6: 'failing',
      ipv6_reason_code: 'certificate_wrong_name',
    })
  })

  test('is all that some webs have', async () => {
    await addWeb('a.test')
    sites.dns.zone = { 'a.test': { AAAA: ['::1'] } }
    sites.show('a.test', await sites.issue({ names: ['a.test'] }))
    await check()
    expect(await readIpv6()).toMatchObject({ state: 'valid', ipv6: 'working' })
  })

  test('is unknown to a worker without it, and what is known of a web with IPv6 only stays', async () => {
    await addWeb('a.test')
    await addWeb('b.test')
    const noRoute = ['ff02::1']
    sites.dns.zone = { 'a.test': { A: ['127.0.0.1'], AAAA: noRoute }, 'b.test': { AAAA: ['::1'] } }
    const own = await sites.issue({ names: ['a.test', 'b.test'] })
    sites.show('a.test', own)
    sites.show('b.test', own)
    const own6 = openNameChecker(sites.settings)
    await checkCertificates(context, own6, { internalMarker: '' })
    await own6.close()
    const before = await readNames()
    sites.dns.zone = { ...sites.dns.zone, 'b.test': { AAAA: noRoute } }
    advanceMs(hour)
    const without = openNameChecker(sites.settings)
    await checkCertificates(context, without, { internalMarker: '' })
    await without.close()
    const [a, b] = await readNames()
    expect(a).toMatchObject({ state: 'valid', ipv6: 'unknown' })
    expect(b).toEqual(before[1])
    const due = await db.select().from(certificateChecks)
    expect(due.map(({ due_at }) => due_at.getTime() - now().getTime())).toEqual([hour, hour])
  })
})
