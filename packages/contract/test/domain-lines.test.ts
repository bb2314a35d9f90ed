import { describe, expect, it } from 'vitest'
import {
  comparedDomain,
  domainLines,
  domainStateOf,
  newExternalDomain,
} from '../src/external-domains/index.ts'
import { allDomains, anyDomainKey } from '../src/limitis.ts'

const verdictOf = (text: string) => {
  const [first] = domainLines(text)
  if (!first) throw new Error('There was no line')
  return first
}

describe('a pasted text', () => {
  it('is judged line by line', () => {
    const text =
      '\uFEFFexample.com\r\n\r\n  Example.COM \nwww.example.com\rmüller.example\nxn--mller-kva.example\nnot a domain\n'
    expect(domainLines(text)).toEqual([
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
        message: 'One domain on each line, without spaces or commas',
      },
      { line: 8, typed: '', verdict: 'empty' },
    ])
  })

  it('tells what is in the list already, in any spelling', () => {
    const listed = new Set([comparedDomain('müller.example')])
    expect(domainLines('MÜLLER.example\nother.example', listed)).toMatchObject([
      { verdict: 'listed', fqdn: 'müller.example' },
      { verdict: 'valid' },
    ])
  })

  it.each([
    ['https://example.com/', /^Leave out http/],
    ['example.com/path', /^Leave out http/],
    ['mail@example.com', /e-mail address/],
    ['example.com, example.org', /^One domain on each line/],
    ['example.com;example.org', /^One domain on each line/],
    ['my_shop.example', /underscores/],
    ['192.0.2.1', /IP address/],
    ['2001:db8::1', /IP address/],
    ['[2001:db8::1]', /IP address/],
    ['example.com:8080', /port/],
    ['*.example.com', /asterisks/],
    ['example.com.', /^Dots stand between/],
    ['.example.com', /^Dots stand between/],
    ['a..example', /^Dots stand between/],
    ['localhost', /at least two parts/],
    ['-a.example', /^Must be a valid host name/],
    [`${'a'.repeat(64)}.example`, /^Must be a valid host name/],
    ['x'.repeat(20_000), /at least two parts/],
  ])('%s is no domain, and why is said', (typed, message) => {
    expect(verdictOf(typed)).toMatchObject({ verdict: 'invalid', message: expect.stringMatching(message) })
  })

  it.each(['example.com', 'a.b', 'sub.höfe-südtirol.example', '1-2-3.example'])('%s is one', (typed) => {
    expect(verdictOf(typed).verdict).toBe('valid')
  })

  it('of thousands of lines has a verdict for each', () => {
    const text = Array.from({ length: 5000 }, (_, i) => `kunde-${i % 4000}.example`).join('\n')
    const verdicts = Object.groupBy(domainLines(text), ({ verdict }) => verdict)
    expect(verdicts.valid).toHaveLength(4000)
    expect(verdicts.duplicate).toHaveLength(1000)
  })
})

describe('a new external domain', () => {
  it('is trimmed and put into lower case', () => {
    expect(
      newExternalDomain.parse({ fqdn: ' Müller.Example ', customer: ' A ', domainprovider: 'B' }),
    ).toEqual({
      fqdn: 'müller.example',
      customer: 'A',
      domainprovider: 'B',
    })
  })

  it('says of each field what is wrong, once', () => {
    const parsed = newExternalDomain.safeParse({ fqdn: 'a b', customer: ' ', domainprovider: '' })
    expect(parsed.error?.issues.map(({ path, message }) => [path[0], message])).toEqual([
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

it('own and external domains make one list by name, whose rows can be told apart', () => {
  const row = {
    id: 1,
    customer: 'A',
    status: null,
    mname: null,
    created_at: '2026-01-01T00:00:00Z',
    checked_at: null,
    check_error: null,
  }
  const all = allDomains(
    [{ ...row, fqdn: 'b.example' }],
    [{ ...row, fqdn: 'a.example', domainprovider: 'P', updated_at: row.created_at }],
  )
  expect(all.map((domain) => [anyDomainKey(domain), domain.fqdn, domain.domainprovider])).toEqual([
    ['external-1', 'a.example', 'P'],
    ['own-1', 'b.example', null],
  ])
})
