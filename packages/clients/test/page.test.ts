import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type FetchOptions,
  openPageFetcher,
  type PageFetcherSettings,
  type Visit,
} from '../src/page/page-fetcher.ts'
import { startDnsServer } from './dns-server.ts'
import { type Authority, makeAuthority } from './probe-certificates.ts'
import { type Behaviour, closedPort, respondWith, type Site, startSite } from './probe-sites.ts'

let authority: Authority
let site: Site
const cleanups: (() => unknown)[] = []
const MiB = 1024 * 1024

beforeAll(async () => {
  authority = await makeAuthority('O=Tyrol Trust, CN=Tyrol Trust R1')
  site = await startSite({ credentials: await authority.issue({ names: ['web.test', 'other.test'] }) })
})
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp()
})
afterAll(() => site.stop())

function open(settings: PageFetcherSettings = {}): Visit {
  const fetcher = openPageFetcher({
    connectTo: `::127.0.0.1:${site.port}`,
    authorities: [authority.cert],
    ...settings,
  })
  const visit = fetcher.visit()
  cleanups.push(fetcher.close, visit.end)
  return visit
}

const get = (behaviour: Behaviour, options?: FetchOptions, url = 'https://web.test/') => {
  site.behave(behaviour)
  return open().get(url, options)
}

/** A response that ends with its connection. */
const respond = (headers: readonly string[], body: string | Buffer = '', status = '200 OK') =>
  respondWith(
    Buffer.concat([
      Buffer.from([`HTTP/1.1 ${status}`, 'Connection: close', ...headers, '', ''].join('\r\n')),
      Buffer.from(body),
    ]),
  )

/** Redirects the paths of `locations`, and responds with the body to all others. */
const redirect =
  (locations: Readonly<Record<string, string>>, body = 'hello'): Behaviour =>
  (socket) => {
    const path = /^GET (\S+)/.exec(site.visits.at(-1)?.request ?? '')?.[1] ?? ''
    const location = locations[path]
    const head = location === undefined ? '200 OK' : `302 Found\r\nLocation: ${location}`
    const sent = location === undefined ? body : ''
    socket.end(`HTTP/1.1 ${head}\r\nContent-Length: ${sent.length}\r\nConnection: close\r\n\r\n${sent}`)
  }

describe('a page', () => {
  test('is requested with the headers of a local browser', async () => {
    await get(respond([], 'hello'))
    const request = site.visits.at(-1)?.request ?? ''
    expect(request).toContain('GET / HTTP/1.1')
    expect(request.toLowerCase()).toContain('host: web.test\r\n')
    expect(request).toMatch(/user-agent: Mozilla\/5\.0 .*Chrome/i)
    expect(request).toMatch(/accept-language: de,it;q=0\.8,en;q=0\.6/i)
    expect(site.visits.at(-1)?.servername).toBe('web.test')
  })

  test('is returned with its type, status and cookies', async () => {
    const headers = [
      'Content-Type: Text/HTML; charset=utf-8',
      'Set-Cookie: t3pref=1; Path=/',
      'Set-Cookie: a=b',
    ]
    expect(await get(respond(headers, 'gone', '410 Gone'))).toEqual({
      outcome: 'fetched',
      url: 'https://web.test/',
      status: 410,
      contentType: 'text/html',
      text: 'gone',
      cut: false,
      cookies: ['t3pref', 'a'],
    })
  })

  test('is not read from a response with an impossible status', async () => {
    expect(await get(respond([], '', '099 Low'))).toMatchObject({ reason: { code: 'response_not_http' } })
  })

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
    ['deflate', deflateSync],
  ])('is decoded from %s', async (encoding, encode) => {
    const result = await get(respond([`Content-Encoding: ${encoding}`], encode('Grüß Gott')))
    expect(result).toMatchObject({ text: 'Grüß Gott', cut: false })
  })

  test('is kept up to the end of a truncated encoding', async () => {
    const whole = gzipSync('hello '.repeat(1000))
    const result = await get(respond(['Content-Encoding: gzip'], whole.subarray(0, whole.length - 10)))
    expect(result).toMatchObject({ outcome: 'fetched', text: expect.stringMatching(/^hello hello/) })
  })

  const umlauts = Buffer.from('Gr\xfc\xdf Gott \x80', 'latin1')
  const meta = (label: string) => Buffer.from(`<meta charset="${label}">`)
  test.each<[string, string, Buffer, string]>([
    ['its header', 'text/html; charset=ISO-8859-1', umlauts, 'Grüß Gott €'],
    ['its meta element', 'text/html', Buffer.concat([meta('iso-8859-1'), umlauts]), 'Grüß Gott €'],
    ['the fallback to windows-1252', 'text/html', umlauts, 'Grüß Gott €'],
    [
      'the fallback to windows-1252, up to a last letter',
      'text/html',
      Buffer.from('Caf\xe9', 'latin1'),
      'Café',
    ],
    ['the fallback to UTF-8', 'text/html', Buffer.from('Grüß Gott €'), 'Grüß Gott €'],
    [
      'the fallback to UTF-8, also if it is truncated',
      'text/html',
      Buffer.from('Grüß Gott €').subarray(0, -1),
      'Grüß Gott ',
    ],
    ['the fallback if the encoding is unknown', 'text/html; charset=klingon', Buffer.from('Grüß'), 'Grüß'],
    [
      'its byte order mark, despite the header',
      'text/html; charset=latin1',
      Buffer.from('\uFEFFGrüß'),
      'Grüß',
    ],
    [
      'the fallback if the meta element is in a comment',
      'text/html',
      Buffer.from('<!--<meta charset=latin1>-->ü'),
      'ü',
    ],
  ])('is decoded by %s', async (_, contentType, body, text) => {
    const result = await get(respond([`Content-Type: ${contentType}`], body))
    expect(result).toMatchObject({ text: expect.stringContaining(text) })
  })
})

describe('a large page', () => {
  test('of 50 MB is cut at 2 MB and its connection closed', async () => {
    const result = await get((socket) => {
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
    expect(result).toMatchObject({ outcome: 'fetched', cut: true })
    expect(result.outcome === 'fetched' && result.text.length).toBe(2 * MiB)
    await expect.poll(() => site.visits.at(-1)?.closed).toBe(true)
    expect(site.visits.at(-1)?.sentBytes()).toBeLessThan(20 * MiB)
  })

  test('is cut as well if it is compressed', async () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(100 * MiB), { level: 9 }))
    const result = await get(respond(['Content-Encoding: gzip, gzip'], bomb))
    expect(result).toMatchObject({ outcome: 'fetched', cut: true })
    expect(result.outcome === 'fetched' && result.text.length).toBe(2 * MiB)
  })

  test('that never ends fails at the deadline', async () => {
    const result = await get(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        const timer = setInterval(() => socket.write('x'), 20)
        socket.on('close', () => clearInterval(timer))
      },
      { deadlineMs: 300 },
    )
    expect(result).toEqual({
      outcome: 'failed',
      reason: { code: 'answer_timed_out', params: { seconds: 0.3 } },
      refused: false,
    })
    await expect.poll(() => site.visits.at(-1)?.closed).toBe(true)
  })
})

describe('a redirect', () => {
  test('is followed, also to another host', async () => {
    const locations = { '/': '/de', '/de': 'https://other.test/start?a=1' }
    expect(await get(redirect(locations))).toMatchObject({
      url: 'https://other.test/start?a=1',
      text: 'hello',
    })
  })

  test('to an address in UTF-8 is followed as by a browser', async () => {
    const locations = { '/': 'https://other.test/höfe' }
    expect(await get(redirect(locations))).toMatchObject({ url: 'https://other.test/h%C3%B6fe' })
  })

  test('fails if it never ends', async () => {
    expect(await get(redirect({ '/': '/' }))).toMatchObject({
      outcome: 'failed',
      reason: { code: 'too_many_redirects', params: { max: 5 } },
    })
  })

  test.each(['ftp://web.test/', 'javascript:alert(1)', 'http://'])(
    'to %s is not followed',
    async (target) => {
      const result = await get(redirect({ '/': target }))
      expect(result).toMatchObject({
        outcome: 'failed',
        reason: { code: 'not_a_page_address', params: { url: target } },
      })
    },
  )

  test.each([
    'http://other.test:8080/',
    'https://other.test:22/',
    'https://web.test:6379/',
    'http://other.test:0/',
  ])('to %s is not followed, because websites have other ports', async (target) => {
    const before = site.connections.length
    const { port } = new URL(target)
    expect(await get(redirect({ '/': target }))).toMatchObject({
      outcome: 'failed',
      reason: { code: 'port_refused', params: { port: Number(port) } },
    })
    expect(site.connections.length).toBe(before + 1)
  })

  test.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '[::ffff:10.0.0.1]',
    '169.254.169.254',
    'inside.test',
  ])('to %s connects to nothing', async (host) => {
    const dns = await startDnsServer({ 'inside.test': { A: ['10.1.2.3'] } })
    site.behave(redirect({ '/': `https://${host}/` }))
    const before = site.connections.length
    // Only the host of the page itself is led to this machine.
    const visit = open({ connectTo: `web.test::127.0.0.1:${site.port}`, dnsServers: [dns.server] })
    const result = await visit.get('https://web.test/')
    await dns.stop()
    expect(result).toMatchObject({ outcome: 'failed', reason: { code: 'address_private' } })
    expect(site.connections.length).toBe(before + 1)
  })
})

test('on another port, such as a script that a page names, is not requested', async () => {
  const before = site.connections.length
  expect(await get(respond([]), {}, 'https://web.test:8443/app.js')).toMatchObject({
    outcome: 'failed',
    reason: { code: 'port_refused', params: { port: 8443 } },
  })
  expect(site.connections.length).toBe(before)
})

describe('a failed page', () => {
  test('reports that nothing listens', async () => {
    const result = await open({ connectTo: `::127.0.0.1:${await closedPort()}` }).get('https://web.test/')
    expect(result).toEqual({ outcome: 'failed', reason: { code: 'connection_refused' }, refused: true })
  })

  test('reports that the name does not resolve', async () => {
    const dns = await startDnsServer({})
    const result = await open({ connectTo: '', dnsServers: [dns.server] }).get('https://nobody.test/')
    await dns.stop()
    expect(result).toMatchObject({ outcome: 'failed', reason: { code: 'name_not_found' } })
  })

  test('reports an untrusted certificate', async () => {
    site.behave(respond([], 'hello'))
    const result = await open({ authorities: [] }).get('https://web.test/')
    expect(result).toMatchObject({
      outcome: 'failed',
      reason: { code: 'certificate_chain_incomplete' },
    })
  })

  test('reports a certificate for another name', async () => {
    expect(await get(respond([], 'hello'), {}, 'https://third.test/')).toMatchObject({
      reason: { code: 'certificate_wrong_name' },
    })
  })

  test('reports an invalid response', async () => {
    expect(await get(respondWith('SSH-2.0-OpenSSH_9.9\r\n'))).toMatchObject({ outcome: 'failed' })
    expect(await get((socket) => void socket.destroy())).toMatchObject({ outcome: 'failed' })
  })

  test('reports a wrong content encoding', async () => {
    expect(await get(respond(['Content-Encoding: gzip'], 'no gzip at all'))).toMatchObject({
      outcome: 'failed',
    })
    expect(await get(respond(['Content-Encoding: rot13'], 'uryyb'))).toMatchObject({
      reason: { code: 'encoding_unknown', params: { encoding: 'rot13' } },
    })
  })

  test('reports that it was aborted', async () => {
    const stop = new AbortController()
    const visit = get(() => undefined, { signal: stop.signal })
    await expect.poll(() => site.visits.at(-1)?.request).not.toBeNull()
    stop.abort()
    expect(await visit).toMatchObject({ outcome: 'failed', reason: { code: 'stopped' } })
  })
})
