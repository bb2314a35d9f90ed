import { describe, expect, test } from 'vitest'
import { openProbedSite } from './probe-fixture.ts'
import { closedPort, page, respondWith, startSite } from './probe-sites.ts'

const { authority, site, open, probe, lastVisit, waitForClose } = await openProbedSite()

describe('a response', () => {
  test('is requested once, with the host and the user agent of a probe', async () => {
    const before = Date.now()
    const result = await probe(page('200 OK'))
    expect(result).toMatchObject({ status: 200, reason: null })
    expect(result.startedAt.getTime()).toBeGreaterThanOrEqual(before)
    expect(result.milliseconds).toBeLessThan(5_000)
    expect(lastVisit()?.servername).toBe('web.test')
    const lines = lastVisit()?.request?.trimEnd().split('\r\n')
    expect(lines).toEqual([
      'GET / HTTP/1.1',
      'Host: web.test',
      'User-Agent: Kustos/1.0 (uptime probe)',
      'Accept: */*',
      'Connection: close',
    ])
    await waitForClose()
  })

  test.each([404, 410, 429, 500, 503, 999])('with status %d is reported with that status', async (status) => {
    expect(await probe(page(`${status} So be it`))).toMatchObject({ status, reason: null })
  })

  test('that redirects is not followed', async () => {
    const visits = site.visits.length
    const result = await probe(page('301 Moved', `Location: https://other.test:${site.port}/`))
    expect(result).toMatchObject({ status: 301, reason: null })
    expect(site.visits.length).toBe(visits + 1)
  })

  test.each([
    ['without a body', 'HTTP/1.1 204 No Content\r\n\r\n', 204],
    ['in HTTP/1.0, until the connection ends', 'HTTP/1.0 200 OK\r\n\r\nhello', 200],
    ['without a reason phrase', 'HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n', 200],
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
  ])('%s is read', async (_, response, status) => {
    // The socket stays open: the response itself has to mark its end.
    const ends = !response.startsWith('HTTP/1.0')
    const result = await probe((socket) => (ends ? socket.write(response) : socket.end(response)))
    expect(result).toMatchObject({ status, reason: null })
    await waitForClose()
  })

  test('is read in pieces of one byte', async () => {
    const response = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'
    const result = await probe((socket) => {
      socket.setNoDelay(true)
      for (const letter of response) socket.write(letter)
    })
    expect(result).toMatchObject({ status: 200, reason: null })
  })

  test('is complete when the server half-closes the connection', async () => {
    const result = await probe((socket) => {
      socket.allowHalfOpen = true
      socket.end('HTTP/1.1 200 OK\r\n\r\nhello')
    })
    expect(result).toMatchObject({ status: 200, reason: null })
  })
})

describe('plain HTTP', () => {
  test('is used if the connection to 443 is refused', async () => {
    const plain = await startSite({ behaviour: page('403 Forbidden') })
    try {
      const connectTo = `:443:127.0.0.1:${await closedPort()},:80:127.0.0.1:${plain.port}`
      const result = await open({ connectTo }).probe('web.test')
      expect(result).toMatchObject({ status: 403, reason: null, certificate: null })
      expect(plain.visits[0]?.request).toMatch(/^GET \/ HTTP\/1\.1\r\nHost: web\.test\r\n/)
    } finally {
      await plain.stop()
    }
  })

  test('is not used if TLS fails or no response comes', async () => {
    const [plain, silent] = await Promise.all([startSite(), startSite({ behaviour: () => undefined })])
    const wrong = await startSite({ credentials: await authority.issue({ names: ['other.test'] }) })
    try {
      for (const port of [silent.port, wrong.port]) {
        const connectTo = `:443:127.0.0.1:${port},:80:127.0.0.1:${plain.port}`
        const result = await open({ connectTo, deadlineMs: 300 }).probe('web.test')
        expect(result.status).toBeNull()
      }
      expect(plain.connections).toEqual([])
    } finally {
      await Promise.all([plain.stop(), silent.stop(), wrong.stop()])
    }
  })

  test('is not used for a web that had a certificate', async () => {
    const plain = await startSite()
    try {
      const connectTo = `:443:127.0.0.1:${await closedPort()},:80:127.0.0.1:${plain.port}`
      const result = await open({ connectTo }).probe('web.test', undefined, { requiresTls: true })
      expect(result).toMatchObject({ status: null, reason: { code: 'tls_refused' } })
      expect(plain.connections).toEqual([])
    } finally {
      await plain.stop()
    }
  })

  test('is reported as refused if neither port listens', async () => {
    const result = await open({ connectTo: `::127.0.0.1:${await closedPort()}` }).probe('web.test')
    expect(result).toMatchObject({ status: null, reason: { code: 'connection_refused' } })
  })
})

describe('an invalid response', () => {
  test.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', { code: 'response_not_http' }],
    ['a status line without a status', 'HTTP/1.1 OK\r\n\r\n', { code: 'response_not_http' }],
    [
      'a protocol switch that was not requested',
      'HTTP/1.1 101 Switching\r\n\r\n',
      { code: 'response_not_http' },
    ],
    ['random bytes', Buffer.from([0, 255, 13, 10, 13, 10]), { code: 'response_not_http' }],
    ['a connection that is closed at once', '', { code: 'response_missing' }],
    [
      'a connection that is closed within the header',
      'HTTP/1.1 200 OK\r\nX: ',
      { code: 'response_header_incomplete' },
    ],
    [
      'a connection that is closed within the body',
      'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello',
      { code: 'response_incomplete' },
    ],
    [
      'a connection that is closed within the chunks',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n',
      { code: 'response_incomplete' },
    ],
    [
      'malformed chunks',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhello\r\n',
      { code: 'response_chunks_malformed' },
    ],
    [
      'two different lengths',
      'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
      { code: 'response_length_unusable' },
    ],
    [
      'a negative length',
      'HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n',
      { code: 'response_length_unusable' },
    ],
  ])('is reported with its reason: %s', async (_, response, reason) => {
    expect(await probe(respondWith(response))).toMatchObject({ status: null, reason, certificate: null })
    await waitForClose()
  })

  test('is reported with its reason: a connection that is reset', async () => {
    const plain = await startSite({
      behaviour: (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n')
        setTimeout(() => socket.resetAndDestroy(), 20)
      },
    })
    try {
      const connectTo = `:443:127.0.0.1:${await closedPort()},:80:127.0.0.1:${plain.port}`
      const result = await open({ connectTo }).probe('web.test')
      expect(result).toMatchObject({
        status: null,
        reason: { code: 'connection_reset' },
      })
    } finally {
      await plain.stop()
    }
  })
})
