import { customers, emails, logEntries, ownDomains, registrarSyncs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  importDomains,
  importEmails,
  listEmails,
  listOwnDomains,
  UnreadableFileError,
} from '../src/limitis/index.ts'
import { createContext } from '../src/platform/context.ts'

const database = await testDatabase()
const { db } = database
const context = createContext(database, null, () => new Date('2026-11-21T12:00:00Z'))

let before = 0
const readLog = () => db.select().from(logEntries).orderBy(logEntries.id).offset(before)
beforeEach(async () => {
  await database.owner.db.execute(sql`truncate ${ownDomains}, ${emails}`)
  before = await db.$count(logEntries)
})

const strict = { fileName: 'liste.csv', skipBad: false }
const encode = (text: string) => new TextEncoder().encode(text)
const importDomainFile = (text: string, skipBad = false) =>
  importDomains(context, encode(text), { ...strict, skipBad })
const importEmailFile = (text: string) => importEmails(context, encode(text), strict)
const listDomains = async () =>
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
    ['without a final newline', 'customer,fqdn\nKÖGL,a.test\n"Müller, GmbH",b.test'],
  ])('is read: %s', async (_, text) => {
    expect(await importDomainFile(text)).toMatchObject({
      isWritten: true,
      lines: [
        { line: 2, outcome: 'added' },
        { line: 3, outcome: 'added' },
      ],
    })
    expect(await listDomains()).toEqual(['a.test KÖGL', 'b.test Müller, GmbH'])
  })

  test('ends the failure of a registrar that is not configured any more', async () => {
    await importDomainFile('fqdn;customer\na.test;A\n')
    const failed_at = new Date('2026-11-21T11:00:00Z')
    const failure = { succeeded_at: failed_at, failed_at, failing_since: failed_at, error: 'Away.' }
    await db.insert(registrarSyncs).values({ id: 1, ...failure })
    expect((await importDomainFile('fqdn;customer\nno host;A\n')).isWritten).toBe(false)
    expect((await listOwnDomains(context)).staleSeconds).toBe(3600)
    await importDomainFile('fqdn;customer\na.test;A\n')
    expect((await listOwnDomains(context)).staleSeconds).toBeNull()
    expect(await db.select().from(registrarSyncs)).toMatchObject([
      { succeeded_at: failed_at, failed_at, failing_since: null, error: null },
    ])
    await db.delete(registrarSyncs)
  })

  test('adds and updates rows, keeps missing ones, and leaves one audit entry', async () => {
    await importDomainFile('fqdn;customer\na.test;A\nb.test;B\nc.test;C\n')
    expect((await importDomainFile('fqdn;customer\nA.test;A\nb.test;NEU\nd.test;D\n')).lines).toEqual([
      { line: 2, name: 'A.test', outcome: 'unchanged' },
      { line: 3, name: 'b.test', outcome: 'changed' },
      { line: 4, name: 'd.test', outcome: 'added' },
    ])
    expect(await listDomains()).toEqual(['a.test A', 'b.test NEU', 'c.test C', 'd.test D'])
    const entries = await readLog()
    expect(entries).toMatchObject([
      { log_name: 'limitis', description: 'domains imported' },
      { properties: { attributes: { file: 'liste.csv', added: 1, changed: 1, skipped: 0 } } },
    ])
    await importDomainFile('fqdn;customer\nd.test;D\n')
    expect(await readLog()).toHaveLength(2)
  })

  const mixedFile =
    'fqdn;customer\na.test;A\nno domain;B\nA.test;A\nb.test\nc.test;\nmüller.test;M\n\n"xn--mller-kva.test";M\nd.test;D\n'
  const expectedLines = [
    { line: 2, name: 'a.test', outcome: 'added' },
    {
      line: 3,
      name: 'no domain',
      outcome: 'invalid',
      message: expect.stringMatching(/^fqdn: One domain on each line/),
    },
    { line: 4, name: 'A.test', outcome: 'invalid', message: 'Duplicate of line 2.' },
    { line: 5, name: 'b.test', outcome: 'invalid', message: 'Expected 2 values, found 1.' },
    { line: 6, name: 'c.test', outcome: 'invalid', message: 'customer: Customer is required.' },
    { line: 7, name: 'müller.test', outcome: 'added' },
    { line: 9, name: 'xn--mller-kva.test', outcome: 'invalid', message: 'Duplicate of line 7.' },
    { line: 10, name: 'd.test', outcome: 'added' },
  ]

  test('with an invalid line writes nothing and explains each', async () => {
    expect(await importDomainFile(mixedFile)).toEqual({ isWritten: false, lines: expectedLines })
    expect(await listDomains()).toEqual([])
    expect(await readLog()).toHaveLength(0)
  })

  test('can be imported without its invalid lines', async () => {
    expect(await importDomainFile(mixedFile, true)).toEqual({ isWritten: true, lines: expectedLines })
    expect(await listDomains()).toEqual(['a.test A', 'd.test D', 'müller.test M'])
    expect(await readLog()).toMatchObject([
      { properties: { attributes: { added: 3, changed: 0, skipped: 5 } } },
    ])
  })

  test('may contain unnecessary quotes', async () => {
    const file = 'fqdn;customer\na.test;Fa. "X" GmbH\nb.test;"Y" KG\nc.test;"Fa. ""Z"""\n'
    expect(await importDomainFile(file)).toMatchObject({ isWritten: true })
    expect(await listDomains()).toEqual(['a.test Fa. "X" GmbH', 'b.test "Y" KG', 'c.test Fa. "Z"'])
  })

  test.each([';', ',', '\t'])('may declare %j as separator in its first line', async (separator) => {
    const lines = [
      `sep=${separator}`,
      `fqdn${separator}customer`,
      `a.test${separator}A`,
      `b.test${separator}`,
    ]
    expect((await importDomainFile(`${lines.join('\r\n')}\r\n`, true)).lines).toMatchObject([
      { line: 3, outcome: 'added' },
      { line: 4, outcome: 'invalid' },
    ])
    expect(await listDomains()).toEqual(['a.test A'])
  })

  test('has one invalid line for each unclosed quote', async () => {
    const file = 'fqdn;customer\na.test;A\n\nb.test;"B\nc.test;C\n"d.test;D\ne.test;E\n'
    const open = { outcome: 'invalid', message: 'A quotation mark is not closed.' }
    const oneUnclosed = 'fqdn;customer\na.test;A\n\nb.test;"B\nc.test;C\n'
    expect(await importDomainFile(oneUnclosed, true)).toEqual({
      isWritten: true,
      lines: [
        { line: 2, name: 'a.test', outcome: 'added' },
        { line: 4, name: 'b.test', ...open },
        { line: 5, name: 'c.test', outcome: 'added' },
      ],
    })
    expect((await importDomainFile(file, true)).lines.at(-1)).toMatchObject({ line: 7, outcome: 'added' })
    expect((await importDomainFile(file, true)).lines).toMatchObject([
      { line: 2, name: 'a.test' },
      { line: 4, name: 'b.test', ...open },
      { line: 5, name: 'c.test', outcome: 'unchanged' },
      { line: 6, name: 'd.test', ...open },
      { line: 7, name: 'e.test', outcome: 'unchanged' },
    ])
  })

  test('composes codes of new customers, and refuses those that look like others', async () => {
    await importDomainFile('fqdn;customer\na.test;Mu\u0308ller\n')
    expect(await listDomains()).toEqual(['a.test Müller'])
    const { lines } = await importDomainFile('fqdn;customer\nb.test;A\u200b\nc.test;..\n')
    expect(lines).toMatchObject([
      { name: 'b.test', outcome: 'invalid', message: 'customer: Contains an invisible character.' },
      { name: 'c.test', outcome: 'invalid', message: 'customer: Can’t be “.” or “..”.' },
    ])
  })

  test('counts lines inside values', async () => {
    const { lines } = await importDomainFile('fqdn;customer\na.test;"A\nund\r\nB"\nb.test;B\n')
    expect(lines.map(({ line }) => line)).toEqual([2, 5])
  })

  test.each(['=1+1', '+39 0471', '-A', '@SUM(A1)', "'A", '<script>', '=HYPERLINK("http://x";"y")'])(
    'reads %s as text',
    async (customer) => {
      await importDomainFile(`fqdn,customer\na.test,"${customer.replaceAll('"', '""')}"\n`)
      expect(await listDomains()).toEqual([`a.test ${customer}`])
    },
  )

  test.each([
    ['empty', '', /empty/],
    ['with blank lines only', '\n\n', /empty/],
    [
      'without its columns',
      'name;kunde\na.test;A\n',
      /must name the columns fqdn, customer; fqdn is missing/,
    ],
    ['with a duplicate column', 'fqdn;domain;kunde\na.test;b.test;A\n', /names the column fqdn twice/],
    [
      'with an unclosed quote in its first line',
      'fqdn;"customer\na.test;A\n',
      /quotation mark in the first line is not closed/,
    ],
    [
      'with unclosed quotes in thousands of lines',
      `fqdn;customer\n${'a.test;"A\n'.repeat(5_000)}`,
      /More than 100 lines have a quotation mark that is not closed/,
    ],
  ])('is refused: %s', async (_, text, sentence) => {
    await expect(importDomainFile(text, true)).rejects.toThrow(UnreadableFileError)
    await expect(importDomainFile(text, true)).rejects.toThrow(sentence)
  })

  test('in another encoding is refused', async () => {
    const latin1 = Uint8Array.from(
      [...'fqdn;customer\nmüller.test;M\n'].map((character) => character.codePointAt(0) ?? 0),
    )
    await expect(importDomains(context, latin1, strict)).rejects.toThrow(/not UTF-8/)
  })

  test('may have thousands of lines', async () => {
    const text = Array.from({ length: 5000 }, (_, i) => `kunde-${i}.test;K${i}`).join('\r\n')
    const { lines } = await importDomainFile(`fqdn;customer\r\n${text}`)
    expect(lines).toHaveLength(5000)
    expect(await listDomains()).toHaveLength(5000)
  })
})

describe('mailboxes', () => {
  test('are imported from a file like domains', async () => {
    const file = 'Adresse;Kunde;Typ\nInfo@A.test;A;mailbox\npost@müller.test;M;forward\n'
    expect(await importEmailFile(file)).toMatchObject({ isWritten: true })
    expect((await listEmails(context)).rows).toMatchObject([
      { address: 'info@a.test', customer: 'A', type: 'mailbox' },
      { address: 'post@müller.test', customer: 'M', type: 'forward' },
    ])
    expect(await readLog()).toMatchObject([{ description: 'emails imported' }])
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
    'moc\u202e@b.test',
    'info@p\u0430ypal.test',
  ])('reject the address %s', async (address) => {
    const cell = `"${address.replaceAll('"', '""')}"`
    expect(await importEmailFile(`address,customer,type\n${cell},A,mailbox\n`)).toMatchObject({
      isWritten: false,
      lines: [{ outcome: 'invalid', message: expect.stringMatching(/^address: Must be an e-mail address/) }],
    })
  })
})

test('waits for a merge of customers, of which none comes back', async () => {
  await db.delete(customers)
  await db.insert(customers).values({ code: 'ALPEN' })
  const merging = await database.owner.pool.connect()
  await merging.query('begin')
  // As a merge does, in this order.
  await merging.query('select from emails for update')
  await merging.query('select from own_domains for update')
  await merging.query(`delete from customers where code = 'ALPEN'`)
  await merging.query(`insert into customers (code, spellings) values ('ALPEN GMBH', '{ALPEN}')`)
  const imported = importDomainFile('fqdn;customer\nmerging.test;ALPEN\n')
  await expect.poll(database.waitingStatements).toHaveLength(1)
  await merging.query('commit')
  merging.release()
  expect(await imported).toMatchObject({ isWritten: true, lines: [{ outcome: 'added' }] })
  expect(await listDomains()).toContain('merging.test ALPEN GMBH')
  expect((await db.select().from(customers)).map(({ code }) => code)).not.toContain('ALPEN')
})
