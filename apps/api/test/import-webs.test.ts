import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cellText, gridLanguages, labelGrid } from '@kustos/contract/grid'
import { type WebList, webColumns } from '@kustos/contract/webs'
import { labels as en } from '@kustos/contract/webs/labels'
import de from '@kustos/contract/webs/labels.de.json' with { type: 'json' }
import { categories, customers, logEntries, nodes, webCategories, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { importWebs } from '@kustos/domain/imports'
import { createContext } from '@kustos/domain/platform/context'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it, test } from 'vitest'
import { createUser, listen, signIn } from './api-client.ts'
import { spawnKustos } from './legacy-system.ts'

const database = await testDatabase()
const { db } = database
const context = createContext(database)
const bytes = (text: string) => new TextEncoder().encode(text)
const importText = (text: string, skipBad = false) =>
  importWebs(context, bytes(text), { fileName: 'webs.csv', skipBad })
const read = () => db.select().from(webs).orderBy(webs.id)

await db.insert(nodes).values([
  { name: 'bz-cloud-01', plesk_fqdn: 'bz-cloud-01.host.test' },
  { name: 'legacy-01', plesk_fqdn: 'legacy-01.host.test' },
])
await db.insert(categories).values([{ name: 'Hotel' }, { name: 'Shop' }])

const folder = mkdtempSync(join(tmpdir(), 'kustos-webs-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('imports a CSV file on the command line and reports each line', async () => {
  const path = join(folder, 'webs.csv')
  writeFileSync(
    path,
    '\uFEFFFQDN;Kunde;Configured IP;Node;Categories;Framework;Version;Monitoring Channels;monitoring_web_active;AuftragNr Hosting;Domain Location\r\n' +
      'Müller.test;MÜLLER;192.0.2.1;bz-cloud-01;Hotel, shop;TYPO3;12.4;slack, mail;nein;AB-1,AB-2;eigene Domain\r\n' +
      'b.test;123456;2001:db8::1;;;;;;;;\r\n',
  )
  const { child, ended } = spawnKustos(['import', 'webs', path], { DATABASE_URL: database.url })
  child.stdin.end()
  expect(await ended).toEqual({
    code: 0,
    err: '',
    out: 'line 2  added  Müller.test\nline 3  added  b.test\n2 added, 0 changed, 0 unchanged, 0 skipped.\n',
  })
  expect(await read()).toMatchObject([
    {
      fqdn: 'müller.test',
      fqdn_ascii: 'xn--mller-kva.test',
      customer: 'MÜLLER',
      node_id: 1,
      framework_name: 'TYPO3',
      monitoring_web_reporting_channel: 'slack,mail',
      monitoring_web_active: false,
      auftragnr_hosting: ['AB-1', 'AB-2'],
      domain_state: 1,
    },
    {
      fqdn: 'b.test',
      configured_ip: '2001:db8::1',
      node_id: null,
      monitoring_web_active: true,
      comment: null,
    },
  ])
})

test('keeps fields without a column, and logs nothing for unchanged lines', async () => {
  const before = await db.$count(logEntries)
  const file = 'customer,fqdn,configured_ip\nNEU,xn--mller-kva.test,192.0.2.1\n123456,b.test,2001:db8::1\n'
  expect((await importText(file)).lines).toEqual([
    { line: 2, name: 'xn--mller-kva.test', outcome: 'changed' },
    { line: 3, name: 'b.test', outcome: 'unchanged' },
  ])
  const [web, other] = await read()
  expect(web).toMatchObject({ customer: 'NEU', framework_name: 'TYPO3', node_id: 1, domain_state: 1 })
  const logged = (await db.select().from(logEntries).orderBy(logEntries.id)).slice(before)
  expect(logged).toMatchObject([
    {
      log_name: 'webs',
      description: 'updated',
      subject_id: web?.id,
      properties: { attributes: { customer: 'NEU' } },
    },
    {
      log_name: 'imports',
      description: 'webs imported',
      properties: { attributes: { file: 'webs.csv', added: 0, changed: 1, skipped: 0 } },
    },
  ])
  expect(other?.updated_at).toEqual((await read())[1]?.updated_at)
  expect((await importText(file.replace('xn--mller-kva', 'MÜLLER'))).lines).toMatchObject([
    { outcome: 'changed' },
    { outcome: 'unchanged' },
  ])
  expect((await importText(file.replace('xn--mller-kva', 'MÜLLER'))).lines).toMatchObject([
    { outcome: 'unchanged' },
    { outcome: 'unchanged' },
  ])
})

test('writes the current code of a customer that was merged into another', async () => {
  await db.insert(customers).values({ code: 'MÜLLER GMBH', spellings: ['Müller'] })
  const file = 'customer,fqdn,configured_ip\nMüller,merged.test,192.0.2.9\n'
  expect((await importText(file)).lines).toMatchObject([{ outcome: 'added' }])
  expect((await importText(file)).lines).toMatchObject([{ outcome: 'unchanged' }])
  expect((await read()).at(-1)).toMatchObject({ fqdn: 'merged.test', customer: 'MÜLLER GMBH' })
  expect(await db.$count(customers, eq(customers.code, 'Müller'))).toBe(0)
  await db.delete(webs).where(eq(webs.fqdn, 'merged.test'))
})

test('composes codes of new customers, and keeps those of others', async () => {
  const [decomposed, hidden] = ['Gro\u0308dner', 'ALT\u200b']
  await db.insert(customers).values({ code: hidden })
  const line = (code: string) => `customer,fqdn,configured_ip\n${code},coded.test,192.0.2.9\n`
  expect((await importText(line(decomposed))).lines).toMatchObject([{ outcome: 'added' }])
  expect((await read()).at(-1)).toMatchObject({ fqdn: 'coded.test', customer: 'Grödner' })
  expect((await importText(line(hidden))).lines).toMatchObject([{ outcome: 'changed' }])
  for (const [code, reason] of [
    ['NEU\u200b', 'customer: Contains an invisible character.'],
    ['..', 'customer: Can’t be “.” or “..”.'],
  ] as const)
    expect((await importText(line(code))).lines).toMatchObject([{ outcome: 'invalid', message: reason }])
  await db.delete(webs).where(eq(webs.fqdn, 'coded.test'))
})

describe('invalid lines', () => {
  const header =
    'fqdn;customer;configured_ip;node;categories;monitoring channels;monitoring;domain location\n'
  const file = [
    'no host;A;192.0.2.1;;;;;',
    'c.test;;192.0.2.1;;;;;',
    'c.test;A;192.0.2.999;;;;;',
    'c.test;A;192.0.2.1;nowhere;;;;',
    'f.test;A;192.0.2.1;;Hotels;;;',
    'c.test;A;192.0.2.1;;;pigeon;;',
    'c.test;A;192.0.2.1;;;;perhaps;',
    'c.test;A;192.0.2.1;;;;;ours',
    'müller.test;NEU;192.0.2.1;legacy-01;;;;',
    'd.test;A;192.0.2.1;;;;;',
    'D.test;B;192.0.2.1;;;;;',
    'e.test;A',
    'e.test;=1+1;192.0.2.1;;Shop;telegram;1;own domain',
  ].join('\n')
  const sentences = [
    /^fqdn: Must be a valid host name/,
    /^customer: Customer is required/,
    /^configured_ip: Must be an IPv4 or IPv6 address/,
    /^node: There is no node 'nowhere'\.$/,
    /^categories: There is no category 'Hotels'\.$/,
    /^monitoring_web_reporting_channel: There is no channel “pigeon”/,
    /^monitoring_web_active: Must be 1 or 0/,
    /^domain_state: Must be one of own domain/,
    /^node: The web is on bz-cloud-01, and the node of a web cannot change\.$/,
    null,
    /^Duplicate of line 11\.$/,
    /^Expected \d+ values, found 2/,
    null,
  ].map((message) =>
    message === null ? { outcome: 'added' } : { outcome: 'invalid', message: expect.stringMatching(message) },
  )

  test('are reported one by one, and nothing is written', async () => {
    const [before, entries] = [await read(), await db.$count(logEntries)]
    expect(await importText(header + file)).toMatchObject({ isWritten: false, lines: sentences })
    expect(await read()).toEqual(before)
    expect(await db.$count(logEntries)).toBe(entries)
  })

  test('are skipped when requested', async () => {
    expect(await importText(header + file, true)).toMatchObject({ isWritten: true, lines: sentences })
    expect((await read()).map(({ fqdn, customer }) => `${fqdn} ${customer}`)).toEqual([
      'müller.test NEU',
      'b.test 123456',
      'd.test A',
      'e.test =1+1',
    ])
  })
})

test.each(gridLanguages)('reads back an export in %s that was saved as CSV', async (language) => {
  const origin = await listen(database)
  await createUser(database, `${language}@kustos.test`, 'admin')
  const list = await (await signIn(origin, `${language}@kustos.test`)).json<WebList>('/api/webs')
  const { columns } = labelGrid(webColumns, { en, de }[language].webs, language)
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
  const csv = [
    columns.map(({ label }) => quote(label)),
    ...list.data.map((web) => columns.map((column) => quote(cellText(column, column.value(web))))),
  ]
    .map((cells) => cells.join(';'))
    .join('\r\n')
  const { lines, isWritten } = await importText(`\uFEFF${csv}\r\n`)
  expect(isWritten).toBe(true)
  expect(lines).toHaveLength(4)
  expect(new Set(lines.map(({ outcome }) => outcome))).toEqual(new Set(['unchanged']))
})

it('reads the lines after a quotation mark that is not closed, also if there is another one below', async () => {
  const file = [
    'fqdn;customer;configured_ip;comment',
    'q1.test;Q;192.0.2.1;"Open',
    'q2.test;Q;192.0.2.1;',
    'q3.test;Q;192.0.2.1;"Closed"',
    'q4.test;Q;192.0.2.1;"""Two""\nlines"\n',
  ]
  expect((await importText(file.join('\n'), true)).lines).toMatchObject([
    { line: 2, name: 'q1.test', outcome: 'invalid', message: 'A quotation mark is not closed.' },
    { line: 3, name: 'q2.test', outcome: 'added' },
    { line: 4, name: 'q3.test', outcome: 'added' },
    { line: 5, name: 'q4.test', outcome: 'added' },
  ])
  const rows = (await read()).filter(({ customer }) => customer === 'Q')
  expect(rows.map(({ comment }) => comment)).toEqual([null, 'Closed', '"Two"\nlines'])
})

it('prints what a file contains on one line each, without codes that control the terminal', async () => {
  const path = join(folder, 'codes.csv')
  writeFileSync(
    path,
    'fqdn;customer;configured_ip;node;categories\nc1.test;C;192.0.2.1;"\u001b[2J\nnext";\nc2.test;C;192.0.2.1;;"\u001b]0;a\u0007"\n',
  )
  const { child, ended } = spawnKustos(['import', 'webs', path], { DATABASE_URL: database.url })
  child.stdin.end()
  const { code, out } = await ended
  expect(code).toBe(1)
  expect(out.split('\n')).toEqual([
    "line 2  invalid  c1.test: node: There is no node ' [2J next'.",
    "line 4  invalid  c2.test: categories: There is no category ' ]0'.",
    '',
  ])
})

it('accepts the code of a customer that came back and that the other was then merged into', async () => {
  await db.insert(customers).values({ code: 'ALPEN', spellings: ['ALPEN', 'ALPEN GMBH'] })
  const { lines } = await importText('fqdn;customer;configured_ip\nback.test;ALPEN GMBH;192.0.2.1\n')
  expect(lines).toMatchObject([{ outcome: 'added' }])
  expect(await read()).toContainEqual(expect.objectContaining({ fqdn: 'back.test', customer: 'ALPEN' }))
})

it('reads orders with a semicolon, and categories whose names have separators', async () => {
  await db.insert(categories).values({ name: 'Hotel, Spa; Bar' })
  const line = '"AB;1, AB-2","Shop, hotel, spa; bar; Hotel"'
  const file = `fqdn,customer,configured_ip,auftragnr_hosting,categories\nparts.test,A,192.0.2.1,${line}\n`
  expect((await importText(file)).lines).toMatchObject([{ outcome: 'added' }])
  expect((await importText(file)).lines).toMatchObject([{ outcome: 'unchanged' }])
  const [web] = await db.select().from(webs).where(eq(webs.fqdn, 'parts.test'))
  expect(web?.auftragnr_hosting).toEqual(['AB;1', 'AB-2'])
  const held = await db
    .select({ name: categories.name })
    .from(webCategories)
    .innerJoin(categories, eq(categories.id, webCategories.category_id))
    .where(eq(webCategories.web_id, web?.id ?? 0))
    .orderBy(categories.name)
  expect(held.map(({ name }) => name)).toEqual(['Hotel', 'Hotel, Spa; Bar', 'Shop'])
  expect((await importText(file.replace('spa; bar', 'spa'))).lines).toMatchObject([
    { outcome: 'invalid', message: "categories: There is no category 'spa'." },
  ])
})
