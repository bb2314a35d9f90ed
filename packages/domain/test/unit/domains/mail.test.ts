import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDkimKey } from '../../../src/domains/mail/dkim.ts'
import { checkMailSafety, type MailDns } from '../../../src/domains/mail/index.ts'
import { checkSpf } from '../../../src/domains/mail/spf.ts'
import { parseSpf } from '../../../src/domains/mail/spf-terms.ts'

type Zone = Readonly<Record<string, readonly string[] | 'fails'>>

/** Answers from a table such as `{ 'TXT a.test': ['v=spf1 -all'] }`; other names have no records. */
function dnsOf(zone: Zone): MailDns {
  const ask = (type: string) => (name: string) => {
    const records = zone[`${type} ${name}`] ?? []
    return Promise.resolve(
      records === 'fails' ? { records: null, reason: { code: 'dns_timeout' } as const } : { records },
    )
  }
  return { txt: ask('TXT'), mx: ask('MX'), addresses: ask('A') }
}

const spf = async (zone: Zone) => {
  const { spf, findings } = await checkSpf('a.test', dnsOf(zone))
  return { ...spf, codes: findings.map(({ severity, advice_code: code }) => `${severity} ${code}`) }
}
const spfOf = (record: string, more: Zone = {}) => spf({ 'TXT a.test': [record], ...more })

describe('SPF', () => {
  it.each<[string, Zone, string[], number | null]>([
    ['is missing', {}, ['warning spf_missing'], null],
    ['cannot be read', { 'TXT a.test': 'fails' }, ['unknown spf_unknown'], null],
    ['is there twice', { 'TXT a.test': ['v=spf1 -all', 'v=spf1 mx -all'] }, ['critical spf_multiple'], null],
    ['is fine', { 'TXT a.test': ['other', 'v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 -all'] }, [], 0],
    ['lets everybody send', { 'TXT a.test': ['v=spf1 +all'] }, ['critical spf_allows_all'], 0],
    ['lets everybody send without a sign', { 'TXT a.test': ['v=spf1 all'] }, ['critical spf_allows_all'], 0],
    ['is neutral', { 'TXT a.test': ['v=spf1 ?all'] }, ['warning spf_without_end'], 0],
    ['has no end', { 'TXT a.test': ['v=spf1 ip4:192.0.2.1'] }, ['warning spf_without_end'], 0],
    [
      'has an invalid term',
      { 'TXT a.test': ['v=spf1 ipv4:192.0.2.1 -all'] },
      ['critical spf_term_invalid'],
      0,
    ],
    [
      'has an invalid address',
      { 'TXT a.test': ['v=spf1 ip4:192.0.2.300 -all'] },
      ['critical spf_term_invalid'],
      0,
    ],
    ['uses ptr', { 'TXT a.test': ['v=spf1 ptr -all'] }, ['notice spf_ptr'], 1],
    ['includes itself', { 'TXT a.test': ['v=spf1 include:a.test -all'] }, ['critical spf_loop'], 1],
    [
      'includes a domain without SPF',
      { 'TXT a.test': ['v=spf1 include:b.test -all'], 'TXT b.test': ['other'] },
      ['critical spf_include_without_record'],
      1,
    ],
    [
      'is redirected to one that lets everybody send',
      { 'TXT a.test': ['v=spf1 redirect=b.test'], 'TXT b.test': ['v=spf1 +all'] },
      ['critical spf_allows_all'],
      1,
    ],
    [
      'includes one that cannot be read',
      { 'TXT a.test': ['v=spf1 include:b.test -all'], 'TXT b.test': 'fails' },
      ['unknown spf_unknown'],
      null,
    ],
    ['has a macro', { 'TXT a.test': ['v=spf1 exists:%{i}.a.test -all'] }, [], 1],
  ])('%s', async (_, zone, codes, lookups) => {
    expect(await spf(zone)).toMatchObject({ codes, lookups })
  })

  it('ignores a redirect beside "all", and everything after it', async () => {
    expect(await spfOf('v=spf1 redirect=gone.test -all mx a')).toMatchObject({ codes: [], lookups: 0 })
  })

  it('counts the end of an include for nothing', async () => {
    expect(await spfOf('v=spf1 include:b.test -all', { 'TXT b.test': ['v=spf1 +all'] })).toMatchObject({
      codes: [],
    })
  })

  it('warns of more than two names without records', async () => {
    expect(await spfOf('v=spf1 a:x.test mx:y.test exists:z.test -all')).toMatchObject({
      void_lookups: 3,
      codes: ['warning spf_void_lookups'],
    })
  })

  it.each([
    [7, []],
    [8, ['notice spf_many_lookups']],
    [10, ['notice spf_many_lookups']],
    [11, ['critical spf_too_many_lookups']],
  ])('judges %i lookups', async (count, codes) => {
    const record = `v=spf1 ${'a '.repeat(count)}-all`
    expect(await spfOf(record, { 'A a.test': ['192.0.2.1'] })).toMatchObject({ lookups: count, codes })
  })

  it('counts each include once for each path to it', async () => {
    const includesByLevel = fc.array(fc.nat(3), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(includesByLevel, async (levels) => {
        // A record of each level includes records of the next one.
        const zone: Record<string, string[]> = {}
        const count = (level: number): number =>
          level >= levels.length ? 0 : (levels[level] ?? 0) * (1 + count(level + 1))
        const nameOf = (level: number) => (level === 0 ? 'a.test' : `l${level}.test`)
        for (let level = 0; level <= levels.length; level++) {
          const includes = Array.from({ length: levels[level] ?? 0 }, () => `include:${nameOf(level + 1)}`)
          zone[`TXT ${nameOf(level)}`] = [['v=spf1', ...includes, '-all'].join(' ')]
        }
        expect((await spf(zone)).lookups).toBe(Math.min(count(0), 40))
      }),
    )
  })

  it('always ends, whichever records include each other', async () => {
    const names = ['a.test', 'b.test', 'c.test']
    const term = fc.oneof(
      fc.constantFrom(...names).map((name) => `include:${name}`),
      fc.constantFrom(...names).map((name) => `redirect=${name}`),
      fc.constantFrom('a', 'mx', 'ptr', '-all', 'ip4:192.0.2.1', 'nonsense'),
    )
    const record = fc.array(term, { maxLength: 6 }).map((terms) => ['v=spf1', ...terms].join(' '))
    await fc.assert(
      fc.asyncProperty(fc.tuple(record, record, record), async (records) => {
        const zone = Object.fromEntries(names.map((name, index) => [`TXT ${name}`, [records[index] ?? '']]))
        expect((await spf(zone)).lookups).toBeLessThanOrEqual(40)
      }),
    )
  })

  it('reads any text without failing', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseSpf(`v=spf1 ${text}`)))
  })
})

const mail = async (zone: Zone, domain = 'a.test') => {
  const found = await checkMailSafety(domain, 'a.test', ['s1', 's2'], dnsOf(zone))
  const codesOf = (check: string) =>
    found.findings
      .filter((finding) => finding.check === check)
      .map(({ severity, advice_code: code }) => `${severity} ${code}`)
  return { ...found, codesOf }
}

describe('DMARC', () => {
  it.each<[string, string | undefined, string[], string | null]>([
    ['is missing', undefined, ['warning dmarc_missing'], null],
    ['protects', 'v=DMARC1; p=reject; rua=mailto:d@a.test', [], 'reject'],
    ['only reports', 'v=DMARC1; p=none; rua=mailto:d@a.test', ['warning dmarc_policy_none'], 'none'],
    ['has no reports', 'v=DMARC1;p=Quarantine', ['notice dmarc_without_reports'], 'quarantine'],
    [
      'protects a part',
      'v=DMARC1; p=reject; pct=20; rua=mailto:d@a.test',
      ['warning dmarc_partial'],
      'reject',
    ],
    [
      'leaves subdomains open',
      'v=DMARC1; p=reject; sp=none; rua=mailto:d@a.test',
      ['warning dmarc_subdomains_open'],
      'reject',
    ],
    ['has no policy', 'v=DMARC1; rua=mailto:d@a.test', ['critical dmarc_invalid'], null],
    ['has a wrong policy', 'v=DMARC1; p=block', ['critical dmarc_invalid'], null],
    ['has a wrong share', 'v=DMARC1; p=reject; pct=half', ['critical dmarc_invalid'], null],
    ['is no list of tags', 'v=DMARC1; p=reject; p=none', ['critical dmarc_invalid'], null],
  ])('%s', async (_, record, codes, policy) => {
    const { codesOf, dmarc } = await mail(record === undefined ? {} : { 'TXT _dmarc.a.test': [record] })
    expect(codesOf('dmarc')).toEqual(codes)
    expect(dmarc.policy).toBe(policy)
  })

  it('is inherited from the organizational domain, with its policy for subdomains', async () => {
    const zone = { 'TXT _dmarc.a.test': ['v=DMARC1; p=reject; sp=none; rua=mailto:d@a.test'] }
    const { codesOf, dmarc } = await mail(zone, 'b.a.test')
    expect(dmarc).toMatchObject({ domain: 'a.test', policy: 'none' })
    expect(codesOf('dmarc')).toEqual(['warning dmarc_policy_none'])
  })

  it('does not count if there are two, or if it cannot be read', async () => {
    const record = 'v=DMARC1; p=reject'
    expect((await mail({ 'TXT _dmarc.a.test': [record, record] })).codesOf('dmarc')).toEqual([
      'critical dmarc_multiple',
    ])
    expect((await mail({ 'TXT _dmarc.a.test': 'fails' })).codesOf('dmarc')).toEqual(['unknown dmarc_unknown'])
  })
})

const rsa = (bits: number, type: 'spki' | 'pkcs1' = 'spki') =>
  generateKeyPairSync('rsa', { modulusLength: bits })
    .publicKey.export({ type, format: 'der' })
    .toString('base64')

describe('DKIM', () => {
  it.each<[string, string, ReturnType<typeof readDkimKey>]>([
    ['an RSA key', `v=DKIM1; k=rsa; p=${rsa(2048)}`, { type: 'rsa', bits: 2048, isTesting: false }],
    ['a bare RSA key', `p=${rsa(1024, 'pkcs1')}`, { type: 'rsa', bits: 1024, isTesting: false }],
    ['a key in test', `t=y:s; p=${rsa(1024)}`, { type: 'rsa', bits: 1024, isTesting: true }],
    [
      'an Ed25519 key',
      `k=ed25519; p=${Buffer.alloc(32, 7).toString('base64')}`,
      { type: 'ed25519', bits: 256, isTesting: false },
    ],
    ['a revoked key', 'v=DKIM1; p=', 'revoked'],
    ['no key', 'v=DKIM1; p=AAAA', 'invalid'],
    ['another record', 'v=spf1 -all', null],
    ['another version', 'v=DKIM2; p=AAAA', null],
  ])('reads %s', (_, text, key) => {
    expect(readDkimKey(text)).toEqual(key)
  })

  it('warns of an RSA key of as many bits as Ed25519 has', async () => {
    const modulus = Buffer.alloc(32, 0xff)
    const der = Buffer.from([0x30, 40, 0x02, 33, 0, ...modulus, 0x02, 3, 1, 0, 1])
    const { codesOf } = await mail({ 'TXT s1._domainkey.a.test': [`p=${der.toString('base64')}`] })
    expect(codesOf('dkim')).toEqual(['critical dkim_weak'])
  })

  it('judges the keys of known selectors', async () => {
    const { dkim, codesOf } = await mail({
      'TXT s1._domainkey.a.test': [`p=${rsa(1024)}`],
      'TXT s2._domainkey.a.test': ['p='],
    })
    expect(dkim).toEqual([
      { selector: 's1', type: 'rsa', bits: 1024 },
      { selector: 's2', type: 'revoked', bits: null },
    ])
    expect(codesOf('dkim')).toEqual(['warning dkim_weak', 'notice dkim_revoked'])
  })

  it('is unknown if no selector has a key and one does not answer', async () => {
    expect((await mail({})).codesOf('dkim')).toEqual(['notice dkim_missing'])
    expect((await mail({ 'TXT s2._domainkey.a.test': 'fails' })).codesOf('dkim')).toEqual([
      'unknown dkim_unknown',
    ])
  })
})

it('reads the longest texts of name servers in no time, whatever is in them', async () => {
  const spaces = ' '.repeat(60_000)
  const zone = {
    'TXT a.test': [`v=spf1 a:a${spaces}b -all`],
    'TXT _dmarc.a.test': [`v=DMARC1; p=none; x=a${spaces}b`],
    'TXT s1._domainkey.a.test': [`v=DKIM1; p=a${spaces}b`, `${spaces}p${spaces}=${spaces}`],
  }
  const begin = performance.now()
  await checkMailSafety('a.test', 'a.test', ['s1'], dnsOf(zone))
  expect(performance.now() - begin).toBeLessThan(1_000)
})

describe('MX', () => {
  it.each<[string, Zone, string[]]>([
    ['missing', {}, ['notice mx_missing']],
    ['null', { 'MX a.test': ['0 .'] }, []],
    ['null beside others', { 'MX a.test': ['0 .', '10 m.test'] }, ['critical mx_null_with_others']],
    ['present', { 'MX a.test': ['10 m.test'], 'A m.test': ['192.0.2.1'] }, []],
    ['without an address', { 'MX a.test': ['10 m.test'] }, ['warning mx_host_missing']],
    ['unknown', { 'MX a.test': 'fails' }, ['unknown mx_unknown']],
    ['of an unknown host', { 'MX a.test': ['10 m.test'], 'A m.test': 'fails' }, ['unknown mx_unknown']],
  ])('%s', async (_, zone, codes) => {
    expect((await mail(zone)).codesOf('mx')).toEqual(codes)
  })

  it('looks up the preferred hosts only, however many a domain names', async () => {
    const hosts = Array.from({ length: 3000 }, (_, index) => `${index + 1} m${index + 1}.test`)
    const asked: string[] = []
    const dns = dnsOf({ 'MX a.test': hosts.toSorted() })
    const counted: MailDns = {
      ...dns,
      addresses(name) {
        asked.push(name)
        return dns.addresses(name)
      },
    }
    const { mx, findings } = await checkMailSafety('a.test', 'a.test', [], counted)
    expect(mx).toHaveLength(3000)
    expect(asked).toEqual(Array.from({ length: 20 }, (_, index) => `m${index + 1}.test`))
    expect(findings.filter(({ check }) => check === 'mx')).toHaveLength(20)
  })
})

it('has the state of its worst finding, which comes first', async () => {
  const good = {
    'TXT a.test': ['v=spf1 mx -all'],
    'MX a.test': ['10 m.test'],
    'A m.test': ['192.0.2.1'],
    'TXT _dmarc.a.test': ['v=DMARC1; p=reject; rua=mailto:d@a.test'],
  }
  // A notice that no DKIM key is known does not lower it.
  expect(await mail(good)).toMatchObject({ state: 'ok', findings: [{ severity: 'notice' }] })
  expect(await mail({ ...good, 'TXT _dmarc.a.test': [] })).toMatchObject({ state: 'warning' })
  expect(await mail({ ...good, 'TXT a.test': ['v=spf1 +all'] })).toMatchObject({
    state: 'critical',
    findings: [{ check: 'spf', severity: 'critical' }, { severity: 'notice' }],
  })
})
