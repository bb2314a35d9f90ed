import { emails, logEntries, ownDomains } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  importDomains,
  importEmails,
  listEmails,
  listOwnDomains,
  UnreadableFile,
} from '../src/limitis/index.ts'
import { createContext } from '../src/platform/context.ts'

const database = await testDatabase()
const { db } = database
const context = createContext(database, null, () => new Date('2026-11-21T12:00:00Z'))

let before = 0
const logged = () => db.select().from(logEntries).orderBy(logEntries.id).offset(before)
beforeEach(async () => {
  await database.owner.db.execute(sql`truncate ${ownDomains}, ${emails}`)
  before = await db.$count(logEntries)
})

const strict = { fileName: 'liste.csv', skipBad: false }
const bytes = (text: string) => new TextEncoder().encode(text)
const domainsOf = (text: string, skipBad = false) =>
  importDomains(context, bytes(text), { ...strict, skipBad })
const emailsOf = (text: string) => importEmails(context, bytes(text), strict)
const domains = async () =>
  (await listOwnDomains(context)).rows.map(({ fqdn, customer }) => `${fqdn} ${customer}`)

describe('a file', () => {
  test.each([
    ['with commas and LF', 'fqdn,customer\na.test,KÖGL\nb.test,"Müller, GmbH"\n'],
    [
      'with semicolons, CRLF and a byte order mark',
      '\uFEFFDomain;Kunde\r\na.test;KÖGL\r\nb.test;Müller, GmbH\r\n',
    ],
    [
      'with other columns in another order',
      'Nr;KUNDE;x; FQDN \n1;KÖGL;;A.test\n2;Müller, GmbH;?; b.test\n;;;\n\n',
    ],
    ['with tabs', 'fqdn\tcustomer\na.test\tKÖGL\nb.test\tMüller, GmbH\n'],
    ['without an end', 'customer,fqdn\nKÖGL,a.test\n"Müller, GmbH",b.test'],
  ])('is read: %s', async (_, text) => {
    expect(await domainsOf(text)).toMatchObject({
      isWritten: true,
      lines: [
        { line: 2, outcome: 'added' },
        { line: 3, outcome: 'added' },
      ],
    })
    expect(await domains()).toEqual(['a.test KÖGL', 'b.test Müller, GmbH'])
  })

  test('adds and updates rows, keeps missing ones, and leaves one audit entry', async () => {
    await domainsOf('fqdn;customer\na.test;A\nb.test;B\nc.test;C\n')
    expect((await domainsOf('fqdn;customer\nA.test;A\nb.test;NEU\nd.test;D\n')).lines).toEqual([
      { line: 2, name: 'A.test', outcome: 'unchanged' },
      { line: 3, name: 'b.test', outcome: 'changed' },
      { line: 4, name: 'd.test', outcome: 'added' },
    ])
    expect(await domains()).toEqual(['a.test A', 'b.test NEU', 'c.test C', 'd.test D'])
    const entries = await logged()
    expect(entries).toMatchObject([
      { log_name: 'limitis', description: 'domains imported' },
      { properties: { attributes: { file: 'liste.csv', added: 1, changed: 1, skipped: 0 } } },
    ])
    // Nothing new, nothing to log.
    await domainsOf('fqdn;customer\nd.test;D\n')
    expect(await logged()).toHaveLength(2)
  })

  const bad =
    'fqdn;customer\na.test;A\nno domain;B\nA.test;A\nb.test\nc.test;\nmüller.test;M\n\n"xn--mller-kva.test";M\nd.test;D\n'
  const verdicts = [
    { line: 2, name: 'a.test', outcome: 'added' },
    {
      line: 3,
      name: 'no domain',
      outcome: 'wrong',
      message: expect.stringMatching(/^fqdn: One domain on each line/),
    },
    { line: 4, name: 'A.test', outcome: 'wrong', message: 'It stands on line 2 already.' },
    { line: 5, name: 'b.test', outcome: 'wrong', message: 'It has 1 values, and the first line 2.' },
    { line: 6, name: 'c.test', outcome: 'wrong', message: 'customer: Customer is required.' },
    { line: 7, name: 'müller.test', outcome: 'added' },
    { line: 9, name: 'xn--mller-kva.test', outcome: 'wrong', message: 'It stands on line 7 already.' },
    { line: 10, name: 'd.test', outcome: 'added' },
  ]

  test('with an invalid line writes nothing and explains each', async () => {
    expect(await domainsOf(bad)).toEqual({ isWritten: false, lines: verdicts })
    expect(await domains()).toEqual([])
    expect(await logged()).toHaveLength(0)
  })

  test('can be imported without its invalid lines', async () => {
    expect(await domainsOf(bad, true)).toEqual({ isWritten: true, lines: verdicts })
    expect(await domains()).toEqual(['a.test A', 'd.test D', 'müller.test M'])
    expect(await logged()).toMatchObject([
      { properties: { attributes: { added: 3, changed: 0, skipped: 5 } } },
    ])
  })

  test('may quote values needlessly', async () => {
    const file = 'fqdn;customer\na.test;Fa. "X" GmbH\nb.test;"Y" KG\nc.test;"Fa. ""Z"""\n'
    expect(await domainsOf(file)).toMatchObject({ isWritten: true })
    expect(await domains()).toEqual(['a.test Fa. "X" GmbH', 'b.test "Y" KG', 'c.test Fa. "Z"'])
  })

  test.each([';', ',', '\t'])('may declare %j as separator in its first line', async (sign) => {
    const lines = [`sep=${sign}`, `fqdn${sign}customer`, `a.test${sign}A`, `b.test${sign}`]
    expect((await domainsOf(`${lines.join('\r\n')}\r\n`, true)).lines).toMatchObject([
      { line: 3, outcome: 'added' },
      { line: 4, outcome: 'wrong' },
    ])
    expect(await domains()).toEqual(['a.test A'])
  })

  test('has one invalid line if a quote in it never ends', async () => {
    const file = 'fqdn;customer\na.test;A\n\nb.test;"B\nc.test;C\n"d.test;D\ne.test;E\n'
    const open = { outcome: 'wrong', message: 'It has a quote that never ends.' }
    const some = 'fqdn;customer\na.test;A\n\nb.test;"B\nc.test;C\n'
    expect(await domainsOf(some, true)).toEqual({
      isWritten: true,
      lines: [
        { line: 2, name: 'a.test', outcome: 'added' },
        { line: 4, name: 'b.test', ...open },
        { line: 5, name: 'c.test', outcome: 'added' },
      ],
    })
    expect((await domainsOf(file, true)).lines.at(-1)).toMatchObject({ line: 7, outcome: 'added' })
  })

  test('counts lines inside values', async () => {
    const { lines } = await domainsOf('fqdn;customer\na.test;"A\nund\r\nB"\nb.test;B\n')
    expect(lines.map(({ line }) => line)).toEqual([2, 5])
  })

  test.each(['=1+1', '+39 0471', '-A', '@SUM(A1)', "'A", '<script>', '=HYPERLINK("http://x";"y")'])(
    'reads %s as text',
    async (customer) => {
      await domainsOf(`fqdn,customer\na.test,"${customer.replaceAll('"', '""')}"\n`)
      expect(await domains()).toEqual([`a.test ${customer}`])
    },
  )

  test.each([
    ['empty', '', /empty/],
    ['blank lines alone', '\n\n', /empty/],
    [
      'without its columns',
      'name;kunde\na.test;A\n',
      /has to name the columns fqdn, customer; fqdn is missing/,
    ],
    ['with a column twice', 'fqdn;domain;kunde\na.test;b.test;A\n', /names the column fqdn twice/],
    ['with a quote that never ends in its first line', 'fqdn;"customer\na.test;A\n', /quote that never ends/],
  ])('that is %s is refused', async (_, text, sentence) => {
    await expect(domainsOf(text, true)).rejects.toThrow(UnreadableFile)
    await expect(domainsOf(text, true)).rejects.toThrow(sentence)
  })

  test('in another encoding is refused', async () => {
    const latin1 = Uint8Array.from(
      [...'fqdn;customer\nmüller.test;M\n'].map((sign) => sign.codePointAt(0) ?? 0),
    )
    await expect(importDomains(context, latin1, strict)).rejects.toThrow(/not UTF-8/)
  })

  test('may be long', async () => {
    const text = Array.from({ length: 5000 }, (_, i) => `kunde-${i}.test;K${i}`).join('\r\n')
    const { lines } = await domainsOf(`fqdn;customer\r\n${text}`)
    expect(lines).toHaveLength(5000)
    expect(await domains()).toHaveLength(5000)
  })
})

describe('mailboxes', () => {
  test('are imported from a file like domains', async () => {
    const file = 'Adresse;Kunde;Typ\nInfo@A.test;A;mailbox\npost@müller.test;M;forward\n'
    expect(await emailsOf(file)).toMatchObject({ isWritten: true })
    expect((await listEmails(context)).rows).toMatchObject([
      { address: 'info@a.test', customer: 'A', type: 'mailbox' },
      { address: 'post@müller.test', customer: 'M', type: 'forward' },
    ])
    expect(await logged()).toMatchObject([{ description: 'emails imported' }])
  })

  test.each([
    'info',
    'info@',
    '@a.test',
    'a b@c.test',
    'a@b@c.test',
    'a@localhost',
    'A <a@b.test>',
    '"a"@b.test',
  ])('are not %s', async (address) => {
    const cell = `"${address.replaceAll('"', '""')}"`
    expect(await emailsOf(`address,customer,type\n${cell},A,mailbox\n`)).toMatchObject({
      isWritten: false,
      lines: [{ outcome: 'wrong', message: expect.stringMatching(/^address: Must be an e-mail address/) }],
    })
  })
})
