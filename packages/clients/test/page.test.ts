import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type FetchOptions,
  openPageFetcher,
  type PageFetcherSettings,
  type Visit,
} from '../src/page/index.ts'
import { startDnsServer } from './dns-server.ts'
import { type Authority, makeAuthority } from './probe-certificates.ts'
import { answering, type Behaviour, closedPort, type Site, startSite } from './probe-sites.ts'

let authority: Authority
let site: Site
const endings: (() => unknown)[] = []
const MiB = 1024 * 1024

beforeAll(async () => {
  authority = await makeAuthority('O=Tyrol Trust, CN=Tyrol Trust R1')
  site = await startSite({ credentials: await authority.issue({ names: ['web.test', 'other.test'] }) })
})
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})
afterAll(() => site.stop())

function open(settings: PageFetcherSettings = {}): Visit {
  const fetcher = openPageFetcher({
    connectTo: `::127.0.0.1:${site.port}`,
    authorities: [authority.cert],
    ...settings,
  })
  const visit = fetcher.visit()
  endings.push(fetcher.close, visit.end)
  return visit
}

const get = (behaviour: Behaviour, asking?: FetchOptions, url = 'https://web.test/') => {
  site.behave(behaviour)
  return open().get(url, asking)
}

/** An answer that ends with its connection. */
const answer = (headers: readonly string[], body: string | Buffer = '', status = '200 OK') =>
  answering(
    Buffer.concat([
      Buffer.from([`HTTP/1.1 ${status}`, 'Connection: close', ...headers, '', ''].join('\r\n')),
      Buffer.from(body),
    ]),
  )

/** Sends elsewhere by path, and answers where nothing is said of one. */
const sending =
  (ways: Readonly<Record<string, string>>, body = 'hello'): Behaviour =>
  (socket) => {
    const path = /^GET (\S+)/.exec(site.visits.at(-1)?.request ?? '')?.[1] ?? ''
    const location = ways[path]
    const head = location === undefined ? '200 OK' : `302 Found\r\nLocation: ${location}`
    const sent = location === undefined ? body : ''
    socket.end(`HTTP/1.1 ${head}\r\nContent-Length: ${sent.length}\r\nConnection: close\r\n\r\n${sent}`)
  }

describe('a page', () => {
  test('is requested like by a visitor from this country', async () => {
    await get(answer([], 'hello'))
    const request = site.visits.at(-1)?.request ?? ''
    expect(request).toContain('GET / HTTP/1.1')
    expect(request.toLowerCase()).toContain('host: web.test\r\n')
    expect(request).toMatch(/user-agent: Mozilla\/5\.0 .*Chrome/i)
    expect(request).toMatch(/accept-language: de,it;q=0\.8,en;q=0\.6/i)
    expect(site.visits.at(-1)?.servername).toBe('web.test')
  })

  test('returns its type, status and cookies', async () => {
    const headers = [
      'Content-Type: Text/HTML; charset=utf-8',
      'Set-Cookie: t3pref=1; Path=/',
      'Set-Cookie: a=b',
    ]
    expect(await get(answer(headers, 'gone', '410 Gone'))).toEqual({
      outcome: 'fetched',
      url: 'https://web.test/',
      status: 410,
      contentType: 'text/html',
      text: 'gone',
      cut: false,
      cookies: ['t3pref', 'a'],
    })
  })

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
    ['deflate', deflateSync],
  ])('is decoded from %s', async (encoding, encode) => {
    const seen = await get(answer([`Content-Encoding: ${encoding}`], encode('Grüß Gott')))
    expect(seen).toMatchObject({ text: 'Grüß Gott', cut: false })
  })

  test('counts as far as it came if its encoding ends early', async () => {
    const whole = gzipSync('hello '.repeat(1000))
    const seen = await get(answer(['Content-Encoding: gzip'], whole.subarray(0, whole.length - 10)))
    expect(seen).toMatchObject({ outcome: 'fetched', text: expect.stringMatching(/^hello hello/) })
  })

  const umlauts = Buffer.from('Gr\xfc\xdf Gott \x80', 'latin1')
  const meta = (label: string) => Buffer.from(`<meta charset="${label}">`)
  test.each<[string, string, Buffer, string]>([
    ['its header', 'text/html; charset=ISO-8859-1', umlauts, 'Grüß Gott €'],
    ['its own word', 'text/html', Buffer.concat([meta('iso-8859-1'), umlauts]), 'Grüß Gott €'],
    ['nothing at all', 'text/html', umlauts, 'Grüß Gott €'],
    ['nothing at all, in UTF-8', 'text/html', Buffer.from('Grüß Gott €'), 'Grüß Gott €'],
    ['an encoding that does not exist', 'text/html; charset=klingon', Buffer.from('Grüß'), 'Grüß'],
    ['its mark, whatever the header says', 'text/html; charset=latin1', Buffer.from('\uFEFFGrüß'), 'Grüß'],
    [
      'a word within a comment, which is none',
      'text/html',
      Buffer.from('<!--<meta charset=latin1>-->ü'),
      'ü',
    ],
  ])('is read by %s', async (_, contentType, body, text) => {
    const seen = await get(answer([`Content-Type: ${contentType}`], body))
    expect(seen).toMatchObject({ text: expect.stringContaining(text) })
  })
})

describe('a large page', () => {
  test('of 50 MB is read up to 2 MB and its connection closed', async () => {
    const seen = await get((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 52428800\r\n\r\n')
      const part = Buffer.alloc(256 * 1024, 'x')
      let left = 200
      const more = () => {
        while (left > 0 && !socket.destroyed) {
          left -= 1
          if (!socket.write(part)) return void socket.once('drain', more)
        }
      }
      more()
    })
    expect(seen).toMatchObject({ outcome: 'fetched', cut: true })
    expect(seen.outcome === 'fetched' && seen.text.length).toBe(2 * MiB)
    await expect.poll(() => site.visits.at(-1)?.closed).toBe(true)
    expect(site.visits.at(-1)?.sent()).toBeLessThan(20 * MiB)
  })

  test('compressed into a small one is cut as well', async () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(100 * MiB), { level: 9 }))
    const seen = await get(answer(['Content-Encoding: gzip, gzip'], bomb))
    expect(seen).toMatchObject({ outcome: 'fetched', cut: true })
    expect(seen.outcome === 'fetched' && seen.text.length).toBe(2 * MiB)
  })

  test('that never ends costs its deadline', async () => {
    const seen = await get(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        const timer = setInterval(() => socket.write('x'), 20)
        socket.on('close', () => clearInterval(timer))
      },
      { deadline: 300 },
    )
    expect(seen).toEqual({
      outcome: 'unseen',
      reason: { code: 'answer_timed_out', params: { seconds: 0.3 } },
      refused: false,
    })
    await expect.poll(() => site.visits.at(-1)?.closed).toBe(true)
  })
})

describe('a redirect', () => {
  test('is followed, to other names as well', async () => {
    const ways = { '/': '/de', '/de': 'https://other.test/start?a=1' }
    expect(await get(sending(ways))).toMatchObject({ url: 'https://other.test/start?a=1', text: 'hello' })
  })

  test('that never ends is given up', async () => {
    expect(await get(sending({ '/': '/' }))).toMatchObject({
      outcome: 'unseen',
      reason: { code: 'too_many_redirects', params: { max: 5 } },
    })
  })

  test.each(['ftp://web.test/', 'javascript:alert(1)', 'http://'])(
    'to %s is not followed',
    async (target) => {
      const seen = await get(sending({ '/': target }))
      expect(seen).toMatchObject({
        outcome: 'unseen',
        reason: { code: 'not_a_page_address', params: { url: target } },
      })
    },
  )

  test.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '[::ffff:10.0.0.1]',
    '169.254.169.254',
    'inside.test',
  ])('to %s reaches nothing', async (host) => {
    const dns = await startDnsServer({ 'inside.test': { A: ['10.1.2.3'] } })
    site.behave(sending({ '/': `https://${host}:${site.port}/` }))
    const before = site.connections.length
    // Only the page itself is sent to this machine.
    const visit = open({ connectTo: `web.test::127.0.0.1:${site.port}`, dnsServers: [dns.server] })
    const seen = await visit.get('https://web.test/')
    await dns.stop()
    expect(seen).toMatchObject({ outcome: 'unseen', reason: { code: 'address_private' } })
    expect(site.connections.length).toBe(before + 1)
  })
})

describe('a failed page', () => {
  test('reports that nothing listens', async () => {
    const seen = await open({ connectTo: `::127.0.0.1:${await closedPort()}` }).get('https://web.test/')
    expect(seen).toEqual({ outcome: 'unseen', reason: { code: 'connection_refused' }, refused: true })
  })

  test('reports that the name does not resolve', async () => {
    const dns = await startDnsServer({})
    const seen = await open({ connectTo: '', dnsServers: [dns.server] }).get('https://nobody.test/')
    await dns.stop()
    expect(seen).toMatchObject({ outcome: 'unseen', reason: { code: 'name_not_found' } })
  })

  test('reports an untrusted certificate', async () => {
    site.behave(answer([], 'hello'))
    const seen = await open({ authorities: [] }).get('https://web.test/')
    expect(seen).toMatchObject({
      outcome: 'unseen',
      reason: { code: 'certificate_chain_incomplete' },
    })
  })

  test('reports a certificate for another name', async () => {
    expect(await get(answer([], 'hello'), {}, 'https://third.test/')).toMatchObject({
      reason: { code: 'certificate_wrong_name' },
    })
  })

  test('reports an invalid response', async () => {
    expect(await get(answering('SSH-2.0-OpenSSH_9.9\r\n'))).toMatchObject({ outcome: 'unseen' })
    expect(await get((socket) => void socket.destroy())).toMatchObject({ outcome: 'unseen' })
  })

  test('reports a wrong content encoding', async () => {
    expect(await get(answer(['Content-Encoding: gzip'], 'no gzip at all'))).toMatchObject({
      outcome: 'unseen',
    })
    expect(await get(answer(['Content-Encoding: rot13'], 'uryyb'))).toMatchObject({
      reason: { code: 'encoding_unknown', params: { encoding: 'rot13' } },
    })
  })

  test('ends when aborted', async () => {
    const stop = new AbortController()
    const asked = get(() => undefined, { signal: stop.signal })
    await expect.poll(() => site.visits.at(-1)?.request).not.toBeNull()
    stop.abort()
    expect(await asked).toMatchObject({ outcome: 'unseen', reason: { code: 'stopped' } })
  })
})
