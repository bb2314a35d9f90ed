import { randomUUID } from 'node:crypto'
import http from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { tableType } from '@kustos/contract/route'
import { nothingFound, type WebList, webList } from '@kustos/contract/webs'
import { categories, nodes, webCategories, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { ApiClient, createUser, listen, signIn } from './api-client.ts'

const database = await testDatabase()
const { db } = database
const origin = await listen(database)
await createUser(database, 'staff@kustos.test', ['view webs', 'restore webs'])
await db.insert(nodes).values({ name: 'node1', plesk_fqdn: 'plesk1.kustos.test' })
const unusualText = 'a "quoted" \\ back\\slash, tab\t, line\nfeed, \u2028, {"json":[]}, \u0001\u0002, 😀 é'
const [first] = await db
  .insert(webs)
  .values(
    Array.from({ length: 300 }, (_, n) => ({
      fqdn: `web-${n}.test`,
      fqdn_ascii: `web-${n}.test`,
      customer: 'ALPEN',
      configured_ip: '192.0.2.7',
      comment: unusualText,
      status: 0,
      disk_usage: 2 ** 40,
      cert_expiration: new Date('2027-01-02T03:04:05.678Z'),
    })),
  )
  .returning()
if (!first) throw new Error('No web was created')

let staff = new ApiClient(origin)
beforeAll(async () => {
  staff = await signIn(origin, 'staff@kustos.test')
})

interface Table {
  readonly fields: readonly string[]
  readonly rows: readonly unknown[][]
}

/** Unlike fetch, does not decompress the response. */
function fetchRaw(
  path: string,
  headers: http.OutgoingHttpHeaders,
  from = origin,
): Promise<http.IncomingMessage & { body: Buffer }> {
  const cookie = [...staff.cookies].map((pair) => pair.join('=')).join('; ')
  return new Promise((resolve, reject) => {
    http
      .get(from + path, { headers: { cookie, ...headers } }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => resolve(Object.assign(response, { body: Buffer.concat(chunks) })))
      })
      .on('error', reject)
  })
}

describe('the list', () => {
  it('matches the contract, even with unusual text', async () => {
    const list = webList.parse(await staff.json('/api/webs'))
    expect(list.data).toHaveLength(300)
    expect(list.data[0]).toMatchObject({
      comment: unusualText,
      disk_usage: 2 ** 40,
      cert_expiration: '2027-01-02T03:04:05.678+00:00',
      monitoring_web_active: 1,
    })
    expect(list.nodes).toEqual([{ name: 'node1', plesk_fqdn: 'plesk1.kustos.test', cloud_enabled: false }])
  })

  it('is empty without webs', async () => {
    expect((await staff.json<WebList>('/api/webs?deleted=1')).data).toEqual([])
  })

  it.each([
    ['zstd, br, gzip', 'zstd', zstdDecompressSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['identity', undefined, (body: Buffer) => body],
    ['', undefined, (body: Buffer) => body],
    ['nonsense;q=high, *;q=0', undefined, (body: Buffer) => body],
  ])('is compressed as the client accepts: %s', async (accepted, encoding, decode) => {
    const response = await fetchRaw('/api/webs', { 'accept-encoding': accepted })
    expect(response.headers['content-encoding']).toBe(encoding)
    expect(response.headers.vary).toMatch(/Accept-Encoding/i)
    expect(JSON.parse(decode(response.body).toString())).toEqual(await staff.json('/api/webs'))
  })
})

describe('the list as a table', () => {
  const accept = `${tableType}, application/json`
  const read = async (path: string) => {
    const { body, headers } = await fetchRaw(path, { accept })
    expect([headers['content-type'], headers.vary]).toEqual([tableType, 'Accept, Accept-Encoding'])
    const { fields, rows, ...rest } = JSON.parse(String(body)) as Table
    const data = rows.map((values) => Object.fromEntries(fields.map((field, i) => [field, values[i]])))
    return { data, ...rest }
  }

  it('has the same values, without tracking data unless it is asked for', async () => {
    await db.update(webs).set({ tracking_data: nothingFound }).where(eq(webs.id, first.id))
    const list = await staff.json<WebList>('/api/webs')
    expect(list.data[0]?.tracking_data).toEqual(nothingFound)
    expect(await read('/api/webs?tracking=1')).toEqual(list)
    const data = list.data.map((web) => ({ ...web, tracking_data: null }))
    expect(await read('/api/webs')).toEqual({ ...list, data })
    expect(await read('/api/webs?deleted=1')).toEqual(await staff.json('/api/webs?deleted=1'))
  })

  it.each([['*/*'], ['application/json'], [`application/json, ${tableType};q=0.5`], ['text/html']])(
    'is not what a client that accepts %s receives',
    async (other) => {
      const { headers } = await fetchRaw('/api/webs', { accept: other })
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
    },
  )

  it('has an ETag of its own, which gets 304 while nothing changes', async () => {
    const etagOf = async (headers: http.OutgoingHttpHeaders, path = '/api/webs') =>
      (await fetchRaw(path, headers)).headers.etag
    const etag = await etagOf({ accept })
    expect(new Set([etag, await etagOf({}), await etagOf({ accept }, '/api/webs?tracking=1')]).size).toBe(3)
    const status = async (headers: http.OutgoingHttpHeaders) =>
      (await fetchRaw('/api/webs', { ...headers, 'if-none-match': etag })).statusCode
    expect([await status({ accept }), await status({})]).toEqual([304, 200])
    await db.update(webs).set({ comment: randomUUID() }).where(eq(webs.id, first.id))
    expect(await status({ accept })).toBe(200)
  })
})

describe("the list's ETag", () => {
  const etag = async () => (await fetchRaw('/api/webs', {})).headers.etag ?? ''
  const status = async (tag: string) => (await fetchRaw('/api/webs', { 'if-none-match': tag })).statusCode

  it('is strong and gets 304 while nothing changes', async () => {
    const tag = await etag()
    expect(tag).toMatch(/^"[\w.-]+"$/)
    const response = await fetchRaw('/api/webs', { 'if-none-match': `"other", ${tag}` })
    expect([response.statusCode, response.body.length, response.headers.etag]).toEqual([304, 0, tag])
    expect(await status('"other"')).toBe(200)
  })

  it('is documented with its 304', async () => {
    const { paths } = await staff.json<{ paths: Record<string, { get: { responses: object } }> }>(
      '/api/openapi.json',
    )
    expect(Object.keys(paths['/api/webs']?.get.responses ?? {})).toContain('304')
  })

  it.each([
    ['a web', () => db.update(webs).set({ comment: randomUUID() }).where(eq(webs.id, first.id))],
    ['a node', () => db.insert(nodes).values({ name: randomUUID(), plesk_fqdn: 'x.test' })],
    ['a category', () => db.insert(categories).values({ name: randomUUID() })],
    [
      "a web's categories",
      async () => {
        const [category] = await db.select().from(categories)
        await db.insert(webCategories).values({ web_id: first.id, category_id: category?.id ?? 0 })
      },
    ],
    ['many webs by SQL', () => db.execute('update webs set status = 16 where id % 2 = 0')],
  ])('changes with %s', async (_, change) => {
    const tag = await etag()
    await change()
    expect(await status(tag)).toBe(200)
    expect(await etag()).not.toBe(tag)
  })

  it('changes with the marker of internal hosts, which the list contains', async () => {
    const marker = 'a"b\\.intern.'
    const withMarker = await listen(database, { monitoring: { intervalSeconds: 60, internalMarker: marker } })
    const [plain, response] = [await fetchRaw('/api/webs', {}), await fetchRaw('/api/webs', {}, withMarker)]
    const markerOf = ({ body }: { body: Buffer }) => webList.parse(JSON.parse(String(body))).internal_marker
    expect([markerOf(plain), markerOf(response)]).toEqual(['', marker])
    expect(response.headers.etag).not.toBe(plain.headers.etag)
    expect(
      (await fetchRaw('/api/webs', { 'if-none-match': plain.headers.etag }, withMarker)).statusCode,
    ).toBe(200)
    expect(
      (await fetchRaw('/api/webs', { 'if-none-match': response.headers.etag }, withMarker)).statusCode,
    ).toBe(304)
  })

  it('differs between encodings', async () => {
    const tags = await Promise.all(
      ['zstd', 'br', 'gzip', 'identity'].map(async (accepted) => {
        return (await fetchRaw('/api/webs', { 'accept-encoding': accepted })).headers.etag
      }),
    )
    expect(new Set(tags).size).toBe(4)
  })
})

it('never returns a list older than a completed write', async () => {
  for (let round = 0; round < 20; round++) {
    const comment = randomUUID()
    // Readers share results before and after the write, but never across it.
    const early = [fetchRaw('/api/webs', {}), fetchRaw('/api/webs', {})]
    await db.update(webs).set({ comment }).where(eq(webs.id, first.id))
    const late = await Promise.all([
      fetchRaw('/api/webs', {}),
      fetchRaw('/api/webs', { 'accept-encoding': 'zstd' }),
    ])
    await Promise.all(early)
    for (const response of late) {
      const body =
        response.headers['content-encoding'] === 'zstd' ? zstdDecompressSync(response.body) : response.body
      const list: WebList = JSON.parse(body.toString())
      expect(list.data.find((web) => web.id === first.id)?.comment).toBe(comment)
    }
  }
})
