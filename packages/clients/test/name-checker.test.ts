import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type NameChecker, openNameChecker } from '../src/certificates/name-checker.ts'
import { openCertificateSites } from './certificate-sites.ts'
import { day } from './probe-certificates.ts'
import { closedPort, startUnacceptingPort } from './probe-sites.ts'

const sites = await openCertificateSites()
const checkers: NameChecker[] = []
const open = (more = {}) => {
  const checker = openNameChecker({ ...sites.settings, ...more })
  checkers.push(checker)
  return checker
}

beforeEach(() => sites.forgetAll())
afterEach(() => Promise.all(checkers.splice(0).map((checker) => checker.close())))

describe('a certificate', () => {
  test('is shown with its validity, its issuer and its fingerprint, over both families', async () => {
    sites.dns.zone = { 'web.test': { A: ['127.0.0.1'], AAAA: ['::1'] } }
    sites.show('web.test', await sites.issue({ names: ['web.test', 'www.web.test'], untilMs: 6 * day }))
    const { addresses, ipv4, ipv6 } = await open().check('web.test')
    expect(addresses.toSorted()).toEqual(['127.0.0.1', '::1'])
    expect(ipv4).toEqual(ipv6)
    expect(ipv4).toMatchObject({
      failure: null,
      certificate: {
        authority: 'Tyrol Trust',
        coversName: true,
        isTrusted: true,
        fingerprint: expect.stringMatching(/^([\dA-F]{2}:){31}[\dA-F]{2}$/),
      },
    })
    const { from, expiration } = ipv4?.certificate ?? {}
    expect(Math.round(((expiration?.getTime() ?? 0) - (from?.getTime() ?? 0)) / day)).toBe(7)
  })

  test.each([
    [
      'has expired',
      { names: ['web.test'], fromMs: -20 * day, untilMs: -day },
      'certificate_expired',
      true,
      false,
    ],
    [
      'is not valid yet',
      { names: ['web.test'], fromMs: day, untilMs: 2 * day },
      'certificate_not_yet_valid',
      true,
      false,
    ],
    ['is for another name', { names: ['other.test'] }, 'certificate_wrong_name', false, true],
    ['is for names below it', { names: ['*.web.test'] }, 'certificate_wrong_name', false, true],
  ])('that %s is shown, too', async (_, options, code, coversName, isTrusted) => {
    sites.dns.zone = { 'web.test': { A: ['127.0.0.1'] } }
    sites.show('web.test', await sites.issue(options))
    const { ipv4, ipv6 } = await open().check('web.test')
    expect(ipv4).toMatchObject({ failure: { code }, certificate: { coversName, isTrusted } })
    expect(ipv6).toBeNull()
  })

  test('that is self-signed for another name is neither trusted nor covers the name', async () => {
    sites.dns.zone = { 'web.test': { A: ['127.0.0.1'] } }
    sites.show('web.test', await sites.selfSigned({ names: ['plesk.test'] }))
    expect((await open().check('web.test')).ipv4).toMatchObject({
      failure: { code: 'certificate_self_signed' },
      certificate: { coversName: false, isTrusted: false },
    })
  })
})

describe('no certificate', () => {
  test('is shown for a name that does not exist, or whose port refuses', async () => {
    sites.dns.zone = { 'web.test': { A: ['127.0.0.1'] } }
    const checker = open({ port: await closedPort() })
    expect(await checker.check('gone.test')).toMatchObject({
      addresses: [],
      ipv4: { certificate: null, failure: { code: 'name_not_found' } },
    })
    expect(await checker.check('web.test')).toMatchObject({
      ipv4: { failure: { code: 'connection_refused' }, isOwn: false },
      ipv6: null,
    })
  })

  test('is our own fault while nothing has come back over the family', async () => {
    const silent = await startUnacceptingPort()
    onTestFinished(() => silent.stop())
    sites.dns.zone = { 'web.test': { A: ['127.0.0.1'] }, 'gone.test': { A: ['127.0.0.2'] } }
    const checker = open({ port: silent.port, deadlineMs: 500 })
    expect((await checker.check('web.test')).ipv4).toMatchObject({
      failure: { code: 'no_handshake_in_time' },
      isOwn: true,
    })
    // It is refused there, so that the network works.
    await checker.check('gone.test')
    expect((await checker.check('web.test')).ipv4).toMatchObject({ isOwn: false })
  })

  test('is our own fault on a machine without IPv6', async () => {
    // A multicast address has no route for TCP on any machine.
    sites.dns.zone = { 'web.test': { A: ['127.0.0.1'], AAAA: ['ff02::1'] } }
    sites.show('web.test', await sites.issue({ names: ['web.test'] }))
    expect(await open().check('web.test')).toMatchObject({
      ipv4: { failure: null },
      ipv6: { failure: { code: 'ipv6_missing' }, isOwn: true },
    })
  })
})

test('families are told apart', async () => {
  sites.dns.zone = { 'web.test': { A: ['127.0.0.1'], AAAA: ['::1'] }, 'new.test': { AAAA: ['::1'] } }
  const own = await sites.issue({ names: ['web.test', 'new.test'] })
  sites.show('web.test', own, [4])
  sites.show('new.test', own)
  const checker = open()
  expect(await checker.check('web.test')).toMatchObject({
    ipv4: { failure: null },
    ipv6: { certificate: null, failure: { code: 'handshake_closed' }, isOwn: false },
  })
  expect(await checker.check('new.test')).toMatchObject({ ipv4: null, ipv6: { failure: null } })
})

test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1', 'fd00::1', 'fe80::1'])(
  'no connection is made to the private address %s',
  async (address) => {
    sites.dns.zone = { 'web.test': address.includes(':') ? { AAAA: [address] } : { A: [address] } }
    sites.show('web.test', await sites.issue({ names: ['web.test'] }))
    const { addresses, ipv4, ipv6 } = await open({ allowNetworks: [] }).check('web.test')
    expect(addresses).toEqual([])
    expect(ipv4 ?? ipv6).toMatchObject({ certificate: null, failure: { code: 'address_private' } })
    expect(sites.handshakes).toEqual([])
  },
)

test('a check ends when it is stopped or closed', async () => {
  sites.dns.zone = { 'web.test': { A: ['127.0.0.1'], silent: ['A'] } }
  const stop = new AbortController()
  const checker = open()
  const checks = [checker.check('web.test', stop.signal), checker.check('web.test')]
  stop.abort()
  expect((await checks[0])?.ipv4).toMatchObject({ failure: { code: 'stopped' }, isOwn: true })
  await checker.close()
  expect((await checks[1])?.ipv4).toMatchObject({ failure: { code: 'stopped' } })
})
