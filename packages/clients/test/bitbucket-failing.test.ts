import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { breaks, client, failure, hangs, json, one, plain, server } from './bitbucket-responses.ts'

describe('a call is retried', () => {
  test.each([
    ['429', plain(429, 'Rate limit for this resource has been exceeded')],
    ['500', json({ type: 'error', error: { message: 'Something went wrong' } }, 500)],
    ['503 in plain text', plain(503, 'upstream connect error')],
    ['a broken connection', breaks],
    [
      'an answer that is cut',
      (_: IncomingMessage, response: ServerResponse) => {
        response.writeHead(200, { 'content-length': '1000' }).write('{"values": [')
        setTimeout(() => response.destroy(), 10)
      },
    ],
  ])('after %s, with backoff', async (_, answer) => {
    const { origin, asked } = await server(answer, answer, answer, one)
    const { list, waits } = client(origin)
    expect(await list()).toMatchObject([{ name: 'one' }])
    expect(asked).toHaveLength(4)
    expect(waits).toHaveLength(3)
    for (const [i, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(375 * 2 ** i)
      expect(wait).toBeLessThanOrEqual(625 * 2 ** i)
    }
  })

  test.each([
    ['seconds', () => '7'],
    ['a date', () => new Date(Math.ceil(Date.now() / 1000) * 1000 + 7000).toUTCString()],
  ])('after the delay of Retry-After, in %s', async (_, after) => {
    const { origin } = await server(plain(429, 'Too many', { 'retry-after': after() }), one)
    const { list, waits } = client(origin)
    await list()
    expect(waits).toHaveLength(1)
    expect(waits[0]).toBeGreaterThan(6_000)
    expect(waits[0]).toBeLessThanOrEqual(8_000)
  })

  test('after a response that hangs', async () => {
    const { origin, asked } = await server(hangs, one)
    expect(await client(origin, { timeoutMs: 200 }).list()).toHaveLength(1)
    expect(asked).toHaveLength(2)
  })

  test('after a body that hangs', async () => {
    const { origin } = await server((_, response) => response.writeHead(200).write('{"values":'), one)
    expect(await client(origin, { timeoutMs: 200 }).list()).toHaveLength(1)
  })
})

describe('a call fails with an actionable sentence', () => {
  test.each([
    [401, plain(401, ''), /token: it has expired or was revoked.*BITBUCKET_TOKEN/],
    [
      403,
      json({ type: 'error', error: { message: 'Access denied.' } }, 403),
      /does not allow.*: Access denied\.$/,
    ],
    [
      404,
      json({ type: 'error', error: { message: 'No workspace.' } }, 404),
      /no workspace agency.*BITBUCKET_WORKSPACE/,
    ],
    [410, plain(410, ''), /blocked the workspace agency/],
    [429, plain(429, '', { 'retry-after': '900' }), /rate-limited.*in 15 minutes/],
    [503, plain(503, 'upstream  connect\nerror'), /server error \(503: upstream connect error\)/],
    [502, plain(502, `<html>${'x'.repeat(5000)}</html>`), /server error \(502\)/],
  ])('at %i', async (status, answer, sentence) => {
    const { origin } = await server(answer)
    const error = await failure(client(origin).list())
    expect(error.status).toBe(status)
    expect(error.message).toMatch(sentence)
  })

  test('at once if the delay would be too long', async () => {
    const { origin, asked } = await server(plain(429, '', { 'retry-after': '31' }))
    const { list, waits } = client(origin)
    expect((await failure(list())).status).toBe(429)
    expect({ asked: asked.length, waits }).toEqual({ asked: 1, waits: [] })
  })

  test('within half a minute, however often it is retried', async () => {
    const { origin } = await server(plain(503, ''))
    const { list, waits } = client(origin)
    await failure(list())
    expect(waits.length).toBeGreaterThan(4)
    expect(waits.reduce((sum, wait) => sum + wait)).toBeLessThan(30_000)
  })

  test('if nothing answers', async () => {
    const gone = createServer().listen(0, '127.0.0.1')
    await once(gone, 'listening')
    const { port } = gone.address() as AddressInfo
    gone.close()
    const error = await failure(client(`http://127.0.0.1:${port}`).list())
    expect(error).toMatchObject({
      status: 0,
      message: 'Bitbucket cannot be reached: nothing answers at its address.',
    })
  })

  test('if every response hangs', async () => {
    const { origin } = await server(hangs)
    const error = await failure(client(origin, { timeoutMs: 100, totalTimeoutMs: 250 }).list())
    expect(error).toMatchObject({ status: 0, message: expect.stringMatching(/did not respond within/) })
  })

  test('when the client is closed, without blaming Bitbucket', async () => {
    const { origin } = await server(hangs)
    const { list, close } = client(origin)
    setTimeout(close, 50)
    await expect(list()).rejects.toEqual(new Error('The HTTP client was closed (Bitbucket)'))
  })
})
