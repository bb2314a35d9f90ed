import { getEventListeners } from 'node:events'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openProbedSite } from './probe-fixture.ts'
import { type Behaviour, page, respondWith, startSite, startUnacceptingPort } from './probe-sites.ts'

const { site, open, probe, lastVisit, waitForClose } = await openProbedSite()
const KiB = 1024

describe('a response over the limit', () => {
  test('is cut at 256 KiB of body, and its status counts', async () => {
    const chunk = Buffer.alloc(64 * KiB)
    const result = await probe((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const more = () => {
        while (!socket.destroyed && socket.write(chunk));
      }
      socket.on('drain', more)
      more()
    })
    expect(result).toMatchObject({ status: 200, reason: null })
    await waitForClose()
    // Bytes in the buffers of both sides count as sent.
    expect(lastVisit()?.sentBytes()).toBeLessThan(16 * 1024 * KiB)
  })

  test('is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * KiB))
    const before = process.memoryUsage().rss
    const result = await probe((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`)
      socket.write(bomb)
    })
    expect(result).toMatchObject({ status: 200, reason: null })
    expect(process.memoryUsage().rss - before).toBeLessThan(40 * 1024 * KiB)
  })

  test.each([
    [
      '1,000 header lines',
      Array.from({ length: 1000 }, (_, line) => `X-${line}: y\r\n`).join(''),
      { code: 'response_header_too_many_lines', params: { max: 256 } },
    ],
    [
      'a header of 100 KiB',
      `X-Long: ${'y'.repeat(100 * KiB)}\r\n`,
      { code: 'response_header_too_large', params: { kibibytes: 64 } },
    ],
  ])('is reported for its headers: %s', async (_, lines, reason) => {
    const result = await probe(respondWith(`HTTP/1.1 200 OK\r\n${lines}Content-Length: 0\r\n\r\n`))
    expect(result).toMatchObject({ status: null, reason })
    await waitForClose()
  })

  test('is reported if its headers never end', async () => {
    const result = await probe((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX-Long: ')
      const more = () => {
        while (!socket.destroyed && socket.write('y'.repeat(8 * KiB)));
      }
      socket.on('drain', more)
      more()
    })
    expect(result).toMatchObject({
      status: null,
      reason: { code: 'response_header_too_large', params: { kibibytes: 64 } },
    })
    await waitForClose()
  })
})

describe('the deadline', () => {
  const deadlineMs = 300

  test.each<[string, Behaviour, object]>([
    ['a silent connection', () => undefined, { code: 'no_response_in_time', params: { seconds: 0.3 } }],
    [
      'a response with an unfinished header',
      (socket) => socket.write('HTTP/1.1 200 OK\r\n'),
      { code: 'no_response_in_time', params: { seconds: 0.3 } },
    ],
    [
      'a response without its body',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'),
      { code: 'no_whole_response_in_time', params: { seconds: 0.3 } },
    ],
    [
      'a body that arrives byte by byte',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        const drip = setInterval(() => socket.write('x'), 20)
        socket.on('close', () => clearInterval(drip))
      },
      { code: 'no_whole_response_in_time', params: { seconds: 0.3 } },
    ],
  ])('ends %s', async (_, behaviour, reason) => {
    const result = await probe(behaviour, { deadlineMs })
    expect(result).toMatchObject({ status: null, reason })
    expect(result.milliseconds).toBeGreaterThanOrEqual(deadlineMs - 5)
    expect(result.milliseconds).toBeLessThan(deadlineMs + 500)
    await waitForClose()
  })

  test('ends a connection that never speaks TLS', async () => {
    const silent = await startSite()
    try {
      const result = await open({ deadlineMs, connectTo: `::127.0.0.1:${silent.port}` }).probe('web.test')
      expect(result).toMatchObject({
        status: null,
        reason: { code: 'no_handshake_in_time', params: { seconds: 0.3 } },
      })
    } finally {
      await silent.stop()
    }
  })

  test('ends a connection that is never established', async () => {
    const unaccepting = await startUnacceptingPort()
    try {
      const result = await open({ deadlineMs, connectTo: `::127.0.0.1:${unaccepting.port}` }).probe(
        'web.test',
      )
      expect(result).toMatchObject({
        status: null,
        reason: { code: 'no_connection_in_time', params: { seconds: 0.3 } },
      })
    } finally {
      await unaccepting.stop()
    }
  })

  test('of fifty silent hosts delays no other', async () => {
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

describe('an early end', () => {
  test('by a signal is reported and closes the connection', async () => {
    const stop = new AbortController()
    site.behave(() => undefined)
    const visits = site.visits.length
    const probing = open().probe('web.test', stop.signal)
    await expect.poll(() => site.visits[visits]?.request).toBeTruthy()
    stop.abort()
    expect(await probing).toMatchObject({ status: null, reason: { code: 'stopped' } })
    await waitForClose()
  })

  test('before the start makes no connection', async () => {
    const connections = site.connections.length
    expect(await open().probe('web.test', AbortSignal.abort())).toMatchObject({ reason: { code: 'stopped' } })
    expect(site.connections.length).toBe(connections)
  })

  test('by closing the prober ends all probes and starts no more', async () => {
    site.behave(() => undefined)
    const visits = site.visits.length
    const prober = open()
    const probing = Array.from({ length: 20 }, () => prober.probe('web.test'))
    await expect
      .poll(() => site.visits.slice(visits).filter(({ request }) => request !== null).length)
      .toBe(20)
    await prober.close()
    expect((await Promise.all(probing)).map(({ reason }) => reason)).toEqual(
      Array(20).fill({ code: 'stopped' }),
    )
    await expect.poll(() => site.visits.every(({ closed }) => closed)).toBe(true)
    expect(await prober.probe('web.test')).toMatchObject({ status: null, reason: { code: 'stopped' } })
  })

  test('leaves no listeners, timers or connections after two hundred probes', async () => {
    const stop = new AbortController()
    const prober = open({ deadlineMs: 300 })
    const behaviours: Behaviour[] = [
      page('200 OK'),
      respondWith(''),
      respondWith('nonsense'),
      () => undefined,
    ]
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
