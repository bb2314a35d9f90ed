import { describe, expect, it } from 'vitest'
import {
  domainStateOf,
  newExternalDomain,
  normalizeDomain,
  parseDomainLines,
} from '../src/external-domains/index.ts'
import { allDomains, anyDomainKey } from '../src/limitis/index.ts'
import { issueText } from '../src/messages/english.ts'

const checkLine = (text: string) => {
  const [first] = parseDomainLines(text)
  if (!first) throw new Error('There was no line')
  return first
}

describe('a pasted text', () => {
  it('is checked line by line', () => {
    const text =
      '\uFEFFexample.com\r\n\r\n  Example.COM \nwww.example.com\rmüller.example\nxn--mller-kva.example\nnot a domain\n'
    expect(parseDomainLines(text)).toEqual([
      { line: 1, typed: 'example.com', verdict: 'valid', fqdn: 'example.com' },
      { line: 2, typed: '', verdict: 'empty' },
      { line: 3, typed: 'Example.COM', verdict: 'duplicate', fqdn: 'example.com', of: 1 },
      { line: 4, typed: 'www.example.com', verdict: 'valid', fqdn: 'www.example.com' },
      { line: 5, typed: 'müller.example', verdict: 'valid', fqdn: 'müller.example' },
      {
        line: 6,
        typed: 'xn--mller-kva.example',
        verdict: 'duplicate',
        fqdn: 'xn--mller-kva.example',
        of: 5,
      },
      {
        line: 7,
        typed: 'not a domain',
        verdict: 'invalid',
        message: { code: 'domain_has_spaces' },
      },
      { line: 8, typed: '', verdict: 'empty' },
    ])
  })

  it('recognises listed domains in any spelling', () => {
    const listed = new Set([normalizeDomain('müller.example')])
    expect(parseDomainLines('MÜLLER.example\nother.example', listed)).toMatchObject([
      { verdict: 'listed', fqdn: 'müller.example' },
      { verdict: 'valid' },
    ])
  })

  it.each([
    ['https://example.com/', 'domain_is_url'],
    ['example.com/path', 'domain_is_url'],
    ['mail@example.com', 'domain_is_email'],
    ['example.com, example.org', 'domain_has_spaces'],
    ['example.com;example.org', 'domain_has_spaces'],
    ['my_shop.example', 'domain_has_underscore'],
    ['192.0.2.1', 'domain_is_ip'],
    ['2001:db8::1', 'domain_is_ip'],
    ['[2001:db8::1]', 'domain_is_ip'],
    ['example.com:8080', 'domain_has_port'],
    ['*.example.com', 'domain_has_asterisk'],
    ['example.com.', 'domain_has_stray_dots'],
    ['.example.com', 'domain_has_stray_dots'],
    ['a..example', 'domain_has_stray_dots'],
    ['localhost', 'domain_has_one_part'],
    ['-a.example', 'host_name_invalid_example'],
    [`${'a'.repeat(64)}.example`, 'host_name_invalid_example'],
    ['x'.repeat(20_000), 'domain_has_one_part'],
  ])('explains why %s is not a domain', (typed, code) => {
    expect(checkLine(typed)).toMatchObject({ verdict: 'invalid', message: { code } })
  })

  it.each(['example.com', 'a.b', 'sub.höfe-südtirol.example', '1-2-3.example'])('accepts %s', (typed) => {
    expect(checkLine(typed).verdict).toBe('valid')
  })

  it('checks thousands of lines', () => {
    const text = Array.from({ length: 5000 }, (_, i) => `kunde-${i % 4000}.example`).join('\n')
    const verdicts = Object.groupBy(parseDomainLines(text), ({ verdict }) => verdict)
    expect(verdicts.valid).toHaveLength(4000)
    expect(verdicts.duplicate).toHaveLength(1000)
  })
})

describe('a new external domain', () => {
  it('is trimmed and lower-cased', () => {
    expect(
      newExternalDomain.parse({ fqdn: ' Müller.Example ', customer: ' A ', domainprovider: 'B' }),
    ).toEqual({
      fqdn: 'müller.example',
      customer: 'A',
      domainprovider: 'B',
    })
  })

  it('explains each invalid field once', () => {
    const parsed = newExternalDomain.safeParse({ fqdn: 'a b', customer: ' ', domainprovider: '' })
    expect(parsed.error?.issues.map(({ path, message }) => [path[0], issueText(message)])).toEqual([
      ['fqdn', 'One domain on each line, without spaces or commas'],
      ['customer', 'Customer is required'],
      ['domainprovider', 'Domain provider is required'],
    ])
  })
})

it.each([
  [1, 'ok'],
  [10, 'ok'],
  [2, 'extern'],
  [11, 'extern'],
  [3, 'error'],
  [12, 'error'],
  [null, 'unknown'],
  [7, 'unknown'],
] as const)('status %s means %s', (status, state) => {
  expect(domainStateOf(status)).toBe(state)
})

it('merges own and external domains by name into distinguishable rows', () => {
  const row = {
    id: 1,
    customer: 'A',
    status: null,
    mname: null,
    created_at: '2026-01-01T00:00:00Z',
    checked_at: null,
    check_error: null,
    check_error_code: null,
    check_error_params: null,
    expires_at: null,
    expiry_source: null,
    mail_state: null,
  }
  const all = allDomains(
    [{ ...row, fqdn: 'b.example', auto_renew: null }],
    [{ ...row, fqdn: 'a.example', domainprovider: 'P', updated_at: row.created_at }],
  )
  expect(all.map((domain) => [anyDomainKey(domain), domain.fqdn, domain.domainprovider])).toEqual([
    ['external-1', 'a.example', 'P'],
    ['own-1', 'b.example', null],
  ])
})
