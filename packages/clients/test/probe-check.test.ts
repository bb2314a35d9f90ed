import { afterEach, describe, expect, test } from 'vitest'
import type { ProbeCheck } from '../src/probe/prober.ts'
import { openProbedSite } from './probe-fixture.ts'
import { type Behaviour, page, respondWith, startSite } from './probe-sites.ts'

const { authority, site, open, lastVisit } = await openProbedSite()
const plain: ProbeCheck = {
  method: 'GET',
  path: '/',
  headers: [],
  followsRedirects: false,
  redirectHosts: [],
  texts: [],
  timeoutMs: 5_000,
}

const probe = (check: Partial<ProbeCheck>, behaviour: Behaviour = page('200 OK')) => {
  site.behave(behaviour)
  return open().probe('web.test', undefined, { check: { ...plain, ...check } })
}
const ok = (body: string, ...headers: string[]) =>
  respondWith(
    [`HTTP/1.1 200 OK`, `Content-Length: ${Buffer.byteLength(body)}`, ...headers, '', body].join('\r\n'),
  )
const requestLines = () => lastVisit()?.request?.split('\r\n') ?? []

describe('the request', () => {
  test('has the path, the method and the headers of the check', async () => {
    const headers = [
      { name: 'X-Probe', value: 'secret' },
      { name: 'user-agent', value: 'Tyrol' },
    ]
    await probe({ path: '/status?full=1', headers })
    expect(requestLines()[0]).toBe('GET /status?full=1 HTTP/1.1')
    expect(requestLines()).toEqual(
      expect.arrayContaining(['Host: web.test', 'X-Probe: secret', 'user-agent: Tyrol']),
    )
    expect(requestLines().filter((line) => /^user-agent/i.test(line))).toHaveLength(1)
  })

  test('is that of the front page without a check', async () => {
    site.behave(page('200 OK'))
    await open().probe('web.test')
    expect(lastVisit()?.request).toBe(
      'GET / HTTP/1.1\r\nHost: web.test\r\nUser-Agent: Kustos/1.0 (uptime probe)\r\nAccept: */*\r\nConnection: close\r\n\r\n',
    )
  })

  test('of HEAD reads no body, whatever its length', async () => {
    const head = respondWith('HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n')
    expect(await probe({ method: 'HEAD' }, head)).toMatchObject({ status: 200, problem: null })
    expect(requestLines()[0]).toBe('HEAD / HTTP/1.1')
  })

  test.each(['405 Method Not Allowed', '501 Not Implemented', '403 Forbidden'])(
    'is repeated as GET if HEAD gives %s',
    async (status) => {
      const before = site.visits.length
      const behaviour: Behaviour = (socket) => {
        const isHead = site.visits.at(-1)?.request?.startsWith('HEAD')
        socket.end(`HTTP/1.1 ${isHead ? status : '200 OK'}\r\nContent-Length: 0\r\n\r\n`)
      }
      expect(await probe({ method: 'HEAD' }, behaviour)).toMatchObject({ status: 200 })
      expect(site.visits.slice(before).map(({ request }) => request?.split(' ')[0])).toEqual(['HEAD', 'GET'])
    },
  )

  test('ends at the timeout of the check', async () => {
    const silent: Behaviour = () => undefined
    expect(await probe({ timeoutMs: 200 }, silent)).toMatchObject({
      status: null,
      reason: { code: 'no_response_in_time', params: { seconds: 0.2 } },
    })
  })
})

describe('texts', () => {
  test.each<[string, string, boolean[]]>([
    ['are found in a body', 'Willkommen im Löwen', [true, false]],
    ['are not found in another one', 'Fatal error: no database', [false, true]],
  ])('%s', async (_, body, texts) => {
    const probed = await probe(
      { texts: ['Löwen', 'Fatal error'] },
      ok(body, 'Content-Type: text/html; charset=utf-8'),
    )
    expect(probed).toMatchObject({ status: 200, texts })
  })

  test('are found across chunks, and in the charset of the page', async () => {
    const chunk = (bytes: Buffer) =>
      Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
    const body = Buffer.from('Gasthof Löwen', 'latin1')
    const response = Buffer.concat([
      Buffer.from(
        'HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=iso-8859-1\r\nTransfer-Encoding: chunked\r\n\r\n',
      ),
      chunk(body.subarray(0, 10)),
      chunk(body.subarray(10)),
      Buffer.from('0\r\n\r\n'),
    ])
    expect(await probe({ texts: ['Löwen'] }, respondWith(response))).toMatchObject({ texts: [true] })
  })

  test('are looked for in the first 256 KiB only, whose rest is not read', async () => {
    const kib = 'x'.repeat(1024)
    const long = ok(`${kib.repeat(300)}needle`)
    expect(await probe({ texts: ['needle'] }, long)).toMatchObject({ status: 200, texts: [false] })
  })

  test('are looked for if the header of the encoding is empty', async () => {
    expect(await probe({ texts: ['a'] }, ok('a', 'Content-Encoding:'))).toMatchObject({
      problem: null,
      texts: [true],
    })
  })

  test('are requested without compression, and not looked for in a compressed page', async () => {
    const probed = await probe({ texts: ['a'], method: 'HEAD' }, ok('a', 'Content-Encoding: gzip'))
    expect(probed.problem).toEqual({ code: 'encoding_unknown', params: { encoding: 'gzip' } })
    expect(requestLines()).toEqual(expect.arrayContaining(['GET / HTTP/1.1', 'Accept-Encoding: identity']))
  })
})

test.each<[string, Behaviour, boolean]>([
  ['nothing', ok(''), true],
  ['white space', ok(' \r\n\t\n'), true],
  ['a byte order mark', ok('\ufeff'), true],
  ['a page', ok('  <html>'), false],
  ['an empty chunk', respondWith('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'), true],
  ['chunks', respondWith('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n'), false],
])('a body of %s is blank: %s', async (_, behaviour, isBlank) => {
  site.behave(behaviour)
  expect(await open().probe('web.test')).toMatchObject({ status: 200, isBlank })
})

describe('redirects', () => {
  const stops: (() => Promise<void>)[] = []
  afterEach(() => Promise.all(stops.splice(0).map((stop) => stop())))

  /** Starts another site, and opens a prober that reaches both. */
  async function openTwo(behaviour: Behaviour) {
    const other = await startSite({
      credentials: await authority.issue({ names: ['other.test'] }),
      behaviour,
    })
    stops.push(other.stop)
    const connectTo = `other.test:443:127.0.0.1:${other.port},::127.0.0.1:${site.port}`
    return { other, prober: open({ connectTo }) }
  }
  const redirectTo = (location: string, status = '302 Found') =>
    respondWith(`HTTP/1.1 ${status}\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`)
  const following = { ...plain, followsRedirects: true }

  test('are the response unless they are followed', async () => {
    expect(await probe({}, redirectTo('https://other.test/'))).toMatchObject({ status: 302, problem: null })
  })

  test('are followed to the page, without the headers of the check on another host', async () => {
    const { other, prober } = await openTwo(ok('Welcome'))
    site.behave(redirectTo('https://other.test/start?a=1#top'))
    const headers = [{ name: 'X-Probe', value: 'secret' }]
    const probed = await prober.probe('web.test', undefined, {
      check: { ...following, headers, texts: ['Welcome'] },
    })
    expect(probed).toMatchObject({ status: 200, problem: null, texts: [true] })
    expect(probed.certificate?.authority).toBe('Tyrol Trust')
    expect(lastVisit()?.request).toContain('X-Probe: secret')
    expect(other.visits[0]?.request).toMatch(/^GET \/start\?a=1 HTTP\/1\.1\r\n/)
    expect(other.visits[0]?.request).not.toContain('X-Probe')
  })

  test.each([
    ['UTF-8', Buffer.from('/höfe', 'utf8'), '/h%C3%B6fe'],
    ['Latin-1', Buffer.from('/höfe', 'latin1'), '/h%C3%B6fe'],
    ['Latin-1 with an accent at the end', Buffer.from('/café', 'latin1'), '/caf%C3%A9'],
  ])('to an address in %s are followed as by a browser', async (_, location, path) => {
    const before = site.visits.length
    const redirect = Buffer.concat([
      Buffer.from('HTTP/1.1 301 Moved\r\nLocation: '),
      location,
      Buffer.from('\r\nContent-Length: 0\r\n\r\n'),
    ])
    const behaviour: Behaviour = (socket) =>
      site.visits.length === before + 1 ? respondWith(redirect)(socket) : ok('Welcome')(socket)
    expect(await probe({ followsRedirects: true }, behaviour)).toMatchObject({ status: 200 })
    expect(lastVisit()?.request?.split(' ')[1]).toBe(path)
  })

  test('within the host keep the headers, but not over HTTP', async () => {
    const before = site.visits.length
    const behaviour: Behaviour = (socket) => {
      const isFirst = site.visits.length === before + 1
      socket.end(`HTTP/1.1 ${isFirst ? '301 Moved\r\nLocation: /de' : '200 OK'}\r\nContent-Length: 0\r\n\r\n`)
    }
    const headers = [{ name: 'X-Probe', value: 'secret' }]
    await probe({ followsRedirects: true, headers }, behaviour)
    expect(lastVisit()?.request).toMatch(/^GET \/de /)
    expect(lastVisit()?.request).toContain('X-Probe: secret')
    const clear = await startSite({ behaviour: ok('clear') })
    stops.push(clear.stop)
    site.behave(redirectTo('http://web.test/'))
    const prober = open({ connectTo: `web.test:80:127.0.0.1:${clear.port},::127.0.0.1:${site.port}` })
    expect(await prober.probe('web.test', undefined, { check: { ...following, headers } })).toMatchObject({
      status: 200,
    })
    expect(clear.visits[0]?.request).not.toContain('X-Probe')
  })

  test.each<[string, string[], boolean]>([
    ['https://other.test/', [], true],
    ['https://other.test/', ['other.test'], true],
    ['https://other.test/', ['test.test'], false],
    ['https://other.test/', ['her.test'], false],
    ['https://evil.test/', ['other.test'], false],
    ['https://www.web.test/', ['other.test'], true],
  ])('to %s are followed if they may lead to %j: %s', async (location, redirectHosts, isFollowed) => {
    const { prober } = await openTwo(ok('Welcome'))
    const before = site.visits.length
    site.behave((socket) => {
      if (site.visits.length === before + 1) redirectTo(location)(socket)
      else ok('Welcome')(socket)
    })
    const check = { ...following, redirectHosts }
    const probed = await prober.probe('web.test', undefined, { check })
    if (location.includes('www.'))
      // Its certificate is for another name, which shows that it was asked.
      expect(probed.reason?.code).toBe('certificate_wrong_name')
    else
      expect(probed).toMatchObject(
        isFollowed
          ? { status: 200, problem: null }
          : {
              status: 302,
              problem: { code: 'redirect_elsewhere', params: { host: new URL(location).hostname } },
            },
      )
  })

  test.each([
    ['mailto:a@b.test', 'redirect_unusable'],
    ['https://other.test:8443/', 'redirect_unusable'],
    ['http://', 'redirect_unusable'],
    ['/again', 'too_many_redirects'],
  ])('to %s are a problem: %s', async (location, code) => {
    expect(await probe({ followsRedirects: true }, redirectTo(location))).toMatchObject({
      status: 302,
      problem: { code },
    })
  })

  test('to private addresses are refused', async () => {
    const prober = open({ connectTo: `web.test::127.0.0.1:${site.port}` })
    site.behave(redirectTo('http://169.254.169.254/latest/meta-data/'))
    expect(await prober.probe('web.test', undefined, { check: following })).toMatchObject({
      status: null,
      reason: { code: 'address_private' },
    })
  })
})
