import { getEventListeners } from 'node:events'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openProber, type Prober, type ProberSettings } from '../src/probe/index.ts'
import { type Authority, makeAuthority } from './probe-certificates.ts'
import {
  answering,
  type Behaviour,
  closedPort,
  page,
  type Site,
  startDeafPort,
  startSite,
} from './probe-sites.ts'

let authority: Authority
let site: Site
const probers: Prober[] = []
const KiB = 1024

beforeAll(async () => {
  authority = await makeAuthority('O=Tyrol Trust, CN=Tyrol Trust R1')
  site = await startSite({ credentials: await authority.issue({ names: ['web.test'] }) })
})
afterEach(() => Promise.all(probers.splice(0).map((prober) => prober.close())))
afterAll(() => site.stop())

function open(settings: ProberSettings = {}): Prober {
  const prober = openProber({
    connectTo: `::127.0.0.1:${site.port}`,
    authorities: [authority.cert],
    deadline: 5_000,
    ...settings,
  })
  probers.push(prober)
  return prober
}

async function probe(behaviour: Behaviour, settings?: ProberSettings) {
  site.behave(behaviour)
  return await open(settings).probe('web.test')
}

const lastVisit = () => site.visits.at(-1)
/** The other side hears of a cut a moment later. */
const cut = () => expect.poll(() => lastVisit()?.closed).toBe(true)

describe('an answer', () => {
  test('is asked for once, by name, as a probe', async () => {
    const before = Date.now()
    const seen = await probe(page('200 OK'))
    expect(seen).toMatchObject({ status: 200, reason: null })
    expect(seen.startedAt.getTime()).toBeGreaterThanOrEqual(before)
    expect(seen.milliseconds).toBeLessThan(5_000)
    expect(lastVisit()?.servername).toBe('web.test')
    const lines = lastVisit()?.request?.trimEnd().split('\r\n')
    expect(lines).toEqual([
      'GET / HTTP/1.1',
      'Host: web.test',
      'User-Agent: Kustos/1.0 (uptime probe)',
      'Accept: */*',
      'Connection: close',
    ])
    await cut()
  })

  test.each([404, 410, 429, 500, 503, 999])('of status %d is that status', async (status) => {
    expect(await probe(page(`${status} So be it`))).toMatchObject({ status, reason: null })
  })

  test('that redirects is not followed', async () => {
    const visits = site.visits.length
    const seen = await probe(page('301 Moved', `Location: https://other.test:${site.port}/`))
    expect(seen).toMatchObject({ status: 301, reason: null })
    expect(site.visits.length).toBe(visits + 1)
  })

  test.each([
    ['without a body', 'HTTP/1.1 204 No Content\r\n\r\n', 204],
    ['in HTTP/1.0, until the connection ends', 'HTTP/1.0 200 OK\r\n\r\nhello', 200],
    ['without words after its status', 'HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n', 200],
    ['with bare line feeds', 'HTTP/1.1 200 OK\nContent-Length: 5\n\nhello', 200],
    [
      'after early hints',
      'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
      200,
    ],
    [
      'in chunks with extensions and trailers',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n1A\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\nA: b\r\n\r\n',
      200,
    ],
    ['of two equal lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\ncontent-length: 5\r\n\r\nhello', 200],
  ])('%s is read', async (_, answer, status) => {
    // A socket that stays open: what tells the end is the answer.
    const ends = !answer.startsWith('HTTP/1.0')
    const seen = await probe((socket) => (ends ? socket.write(answer) : socket.end(answer)))
    expect(seen).toMatchObject({ status, reason: null })
    await cut()
  })

  test('is read the same in pieces of one byte', async () => {
    const answer = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'
    const seen = await probe((socket) => {
      socket.setNoDelay(true)
      for (const letter of answer) socket.write(letter)
    })
    expect(seen).toMatchObject({ status: 200, reason: null })
  })

  test('whose other side closes its half is whole', async () => {
    const seen = await probe((socket) => {
      socket.allowHalfOpen = true
      socket.end('HTTP/1.1 200 OK\r\n\r\nhello')
    })
    expect(seen).toMatchObject({ status: 200, reason: null })
  })
})

describe('too much', () => {
  test('of a body is cut at 256 KiB, and counts as its status', async () => {
    const chunk = Buffer.alloc(64 * KiB)
    const seen = await probe((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const more = () => {
        while (!socket.destroyed && socket.write(chunk));
      }
      socket.on('drain', more)
      more()
    })
    expect(seen).toMatchObject({ status: 200, reason: null })
    await cut()
    // What lies in the buffers of both sides counts as sent.
    expect(lastVisit()?.sent()).toBeLessThan(16 * 1024 * KiB)
  })

  test('inside of a compressed body costs nothing: it is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * KiB))
    const before = process.memoryUsage().rss
    const seen = await probe((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`)
      socket.write(bomb)
    })
    expect(seen).toMatchObject({ status: 200, reason: null })
    expect(process.memoryUsage().rss - before).toBeLessThan(40 * 1024 * KiB)
  })

  test.each([
    [
      '1,000 header lines',
      Array.from({ length: 1000 }, (_, line) => `X-${line}: y\r\n`).join(''),
      /more than 256 lines/,
    ],
    ['a header of 100 KiB', `X-Long: ${'y'.repeat(100 * KiB)}\r\n`, /longer than 64 KiB/],
  ])('in the header: %s', async (_, lines, reason) => {
    const seen = await probe(answering(`HTTP/1.1 200 OK\r\n${lines}Content-Length: 0\r\n\r\n`))
    expect(seen).toMatchObject({ status: null, reason: expect.stringMatching(reason) })
    await cut()
  })

  test('of a header that never ends', async () => {
    const seen = await probe((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX-Long: ')
      const more = () => {
        while (!socket.destroyed && socket.write('y'.repeat(8 * KiB)));
      }
      socket.on('drain', more)
      more()
    })
    expect(seen).toMatchObject({ status: null, reason: "the answer's header is longer than 64 KiB" })
    await cut()
  })
})

describe('what is no answer', () => {
  test.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 'the answer is not HTTP'],
    ['a status line without a status', 'HTTP/1.1 OK\r\n\r\n', 'the answer is not HTTP'],
    ['another protocol that nobody asked for', 'HTTP/1.1 101 Switching\r\n\r\n', 'the answer is not HTTP'],
    ['bytes of chance', Buffer.from([0, 255, 13, 10, 13, 10]), 'the answer is not HTTP'],
    ['a close', '', 'the connection was closed without an answer'],
    [
      'a close within the header',
      'HTTP/1.1 200 OK\r\nX: ',
      "the connection was closed within the answer's header",
    ],
    [
      'a close within the body',
      'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello',
      'the connection was closed within the answer',
    ],
    [
      'a close within the chunks',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n',
      'the connection was closed within the answer',
    ],
    [
      'chunks that are none',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhello\r\n',
      "the answer's chunks are malformed",
    ],
    [
      'two lengths',
      'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
      'the answer tells no usable Content-Length',
    ],
    [
      'a negative length',
      'HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n',
      'the answer tells no usable Content-Length',
    ],
  ])('%s', async (_, answer, reason) => {
    expect(await probe(answering(answer))).toMatchObject({ status: null, reason, certificate: null })
    await cut()
  })

  test('a reset', async () => {
    const plain = await startSite({
      behaviour: (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n')
        setTimeout(() => socket.resetAndDestroy(), 20)
      },
    })
    try {
      const connectTo = `:443:127.0.0.1:${await closedPort()},:80:127.0.0.1:${plain.port}`
      const seen = await open({ connectTo }).probe('web.test')
      expect(seen).toMatchObject({
        status: null,
        reason: 'the connection was reset before the answer was whole',
      })
    } finally {
      await plain.stop()
    }
  })
})

describe('the deadline', () => {
  const deadline = 300

  test.each<[string, Behaviour, string]>([
    ['silence', () => undefined, 'no answer within 0.3 s'],
    ['a header that does not end', (socket) => socket.write('HTTP/1.1 200 OK\r\n'), 'no answer within 0.3 s'],
    [
      'a header without its body',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'),
      'the answer did not end within 0.3 s',
    ],
    [
      'a body byte by byte',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        const drip = setInterval(() => socket.write('x'), 20)
        socket.on('close', () => clearInterval(drip))
      },
      'the answer did not end within 0.3 s',
    ],
  ])('ends %s', async (_, behaviour, reason) => {
    const seen = await probe(behaviour, { deadline })
    expect(seen).toMatchObject({ status: null, reason })
    expect(seen.milliseconds).toBeGreaterThanOrEqual(deadline - 5)
    expect(seen.milliseconds).toBeLessThan(deadline + 500)
    await cut()
  })

  test('ends a connection whose other side never speaks TLS', async () => {
    const silent = await startSite()
    try {
      const seen = await open({ deadline, connectTo: `::127.0.0.1:${silent.port}` }).probe('web.test')
      expect(seen).toMatchObject({ status: null, reason: 'no TLS handshake within 0.3 s' })
    } finally {
      await silent.stop()
    }
  })

  test('ends a connection that is never made', async () => {
    const deaf = await startDeafPort()
    try {
      const seen = await open({ deadline, connectTo: `::127.0.0.1:${deaf.port}` }).probe('web.test')
      expect(seen).toMatchObject({ status: null, reason: 'no connection within 0.3 s' })
    } finally {
      await deaf.stop()
    }
  })

  test('of fifty that never answer delays no other', async () => {
    const silent = await startSite({ behaviour: () => undefined })
    try {
      site.behave(page('200 OK'))
      const prober = open({ connectTo: `dead.test::127.0.0.1:${silent.port},::127.0.0.1:${site.port}` })
      const dead = Array.from({ length: 50 }, () => prober.probe('dead.test'))
      const started = performance.now()
      expect(await prober.probe('web.test')).toMatchObject({ status: 200 })
      expect(performance.now() - started).toBeLessThan(2_000)
      await prober.close()
      expect(await Promise.all(dead)).toHaveLength(50)
    } finally {
      await silent.stop()
    }
  })
})

describe('plain HTTP', () => {
  test('is asked where the connection to 443 is refused', async () => {
    const plain = await startSite({ behaviour: page('403 Forbidden') })
    try {
      const connectTo = `:443:127.0.0.1:${await closedPort()},:80:127.0.0.1:${plain.port}`
      const seen = await open({ connectTo }).probe('web.test')
      expect(seen).toMatchObject({ status: 403, reason: null, certificate: null })
      expect(plain.visits[0]?.request).toMatch(/^GET \/ HTTP\/1\.1\r\nHost: web\.test\r\n/)
    } finally {
      await plain.stop()
    }
  })

  test('is not asked where TLS fails, or where no answer comes', async () => {
    const [plain, silent] = await Promise.all([startSite(), startSite({ behaviour: () => undefined })])
    const wrong = await startSite({ credentials: await authority.issue({ names: ['other.test'] }) })
    try {
      for (const port of [silent.port, wrong.port]) {
        const connectTo = `:443:127.0.0.1:${port},:80:127.0.0.1:${plain.port}`
        const seen = await open({ connectTo, deadline: 300 }).probe('web.test')
        expect(seen.status).toBeNull()
      }
      expect(plain.connections).toEqual([])
    } finally {
      await Promise.all([plain.stop(), silent.stop(), wrong.stop()])
    }
  })

  test('that is refused as well is why', async () => {
    const seen = await open({ connectTo: `::127.0.0.1:${await closedPort()}` }).probe('web.test')
    expect(seen).toMatchObject({ status: null, reason: 'the connection was refused' })
  })
})

describe('an end before its time', () => {
  test('by the signal: the probe tells so, and the connection is cut', async () => {
    const stop = new AbortController()
    site.behave(() => undefined)
    const visits = site.visits.length
    const probing = open().probe('web.test', stop.signal)
    await expect.poll(() => site.visits[visits]?.request).toBeTruthy()
    stop.abort()
    expect(await probing).toMatchObject({ status: null, reason: 'stopped' })
    await cut()
  })

  test('before it began: nobody is asked', async () => {
    const connections = site.connections.length
    expect(await open().probe('web.test', AbortSignal.abort())).toMatchObject({ reason: 'stopped' })
    expect(site.connections.length).toBe(connections)
  })

  test('by closing: everything under way ends, and nothing begins any more', async () => {
    site.behave(() => undefined)
    const visits = site.visits.length
    const prober = open()
    const probing = Array.from({ length: 20 }, () => prober.probe('web.test'))
    await expect
      .poll(() => site.visits.slice(visits).filter(({ request }) => request !== null).length)
      .toBe(20)
    await prober.close()
    expect((await Promise.all(probing)).map(({ reason }) => reason)).toEqual(Array(20).fill('stopped'))
    await expect.poll(() => site.visits.every(({ closed }) => closed)).toBe(true)
    expect(await prober.probe('web.test')).toMatchObject({ status: null, reason: 'stopped' })
  })

  test('nothing is left behind by any of two hundred', async () => {
    const stop = new AbortController()
    const prober = open({ deadline: 300 })
    const behaviours: Behaviour[] = [page('200 OK'), answering(''), answering('nonsense'), () => undefined]
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    const before = timers()
    for (const behaviour of behaviours) {
      site.behave(behaviour)
      await Promise.all(Array.from({ length: 50 }, () => prober.probe('web.test', stop.signal)))
    }
    expect(getEventListeners(stop.signal, 'abort')).toEqual([])
    expect(timers()).toBeLessThanOrEqual(before)
    await expect.poll(() => site.visits.every(({ closed }) => closed)).toBe(true)
  })
})
