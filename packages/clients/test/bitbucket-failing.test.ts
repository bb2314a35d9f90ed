import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import {
  breakConnection,
  catchError,
  hang,
  oneRepository,
  openClient,
  respondJson,
  respondText,
  startServer,
} from './bitbucket-responses.ts'

describe('a retried call', () => {
  test.each([
    ['429', respondText(429, 'Rate limit for this resource has been exceeded')],
    ['500', respondJson({ type: 'error', error: { message: 'Something went wrong' } }, 500)],
    ['503 in plain text', respondText(503, 'upstream connect error')],
    ['a broken connection', breakConnection],
    [
      'a truncated response',
      (_: IncomingMessage, response: ServerResponse) => {
        response.writeHead(200, { 'content-length': '1000' }).write('{"values": [')
        setTimeout(() => response.destroy(), 10)
      },
    ],
  ])('is retried after %s, with backoff', async (_, handler) => {
    const { origin, requests } = await startServer(handler, handler, handler, oneRepository)
    const { list, delaysMs } = openClient(origin)
    expect(await list()).toMatchObject([{ name: 'one' }])
    expect(requests).toHaveLength(4)
    expect(delaysMs).toHaveLength(3)
    for (const [i, delayMs] of delaysMs.entries()) {
      expect(delayMs).toBeGreaterThanOrEqual(375 * 2 ** i)
      expect(delayMs).toBeLessThanOrEqual(625 * 2 ** i)
    }
  })

  test.each([
    ['seconds', () => '7'],
    ['a date', () => new Date(Math.ceil(Date.now() / 1000) * 1000 + 7000).toUTCString()],
  ])('is retried after the delay of Retry-After, in %s', async (_, after) => {
    const { origin } = await startServer(
      respondText(429, 'Too many', { 'retry-after': after() }),
      oneRepository,
    )
    const { list, delaysMs } = openClient(origin)
    await list()
    expect(delaysMs).toHaveLength(1)
    expect(delaysMs[0]).toBeGreaterThan(6_000)
    expect(delaysMs[0]).toBeLessThanOrEqual(8_000)
  })

  test('is retried after a response that hangs', async () => {
    const { origin, requests } = await startServer(hang, oneRepository)
    expect(await openClient(origin, { timeoutMs: 200 }).list()).toHaveLength(1)
    expect(requests).toHaveLength(2)
  })

  test('is retried after a body that hangs', async () => {
    const { origin } = await startServer(
      (_, response) => response.writeHead(200).write('{"values":'),
      oneRepository,
    )
    expect(await openClient(origin, { timeoutMs: 200 }).list()).toHaveLength(1)
  })
})

describe('a failing call', () => {
  test.each([
    [401, respondText(401, ''), 'bitbucket_token_refused', undefined],
    [
      403,
      respondJson({ type: 'error', error: { message: 'Access denied.' } }, 403),
      'bitbucket_forbidden',
      { detail: ': Access denied' },
    ],
    [
      404,
      respondJson({ type: 'error', error: { message: 'No workspace.' } }, 404),
      'bitbucket_workspace_missing',
      { workspace: 'agency' },
    ],
    [410, respondText(410, ''), 'bitbucket_workspace_blocked', { workspace: 'agency', detail: '' }],
    [
      429,
      respondText(429, '', { 'retry-after': '900' }),
      'bitbucket_rate_limited',
      { when: { code: 'retry_in_minutes', params: { minutes: 15 } } },
    ],
    [
      503,
      respondText(503, 'upstream  connect\nerror'),
      'bitbucket_out_of_order',
      { status: 503, detail: ': upstream connect error' },
    ],
    [
      502,
      respondText(502, `<html>${'x'.repeat(5000)}</html>`),
      'bitbucket_out_of_order',
      { status: 502, detail: '' },
    ],
  ])('has a reason for status %i', async (status, handler, code, params) => {
    const { origin } = await startServer(handler)
    const error = await catchError(openClient(origin).list())
    expect(error).toMatchObject({ status, codedMessage: { code, ...(params && { params }) } })
  })

  test('is not retried if Retry-After is too long', async () => {
    const { origin, requests } = await startServer(respondText(429, '', { 'retry-after': '31' }))
    const { list, delaysMs } = openClient(origin)
    expect((await catchError(list())).status).toBe(429)
    expect({ requests: requests.length, delaysMs }).toEqual({ requests: 1, delaysMs: [] })
  })

  test('fails within half a minute, including its retries', async () => {
    const { origin } = await startServer(respondText(503, ''))
    const { list, delaysMs } = openClient(origin)
    await catchError(list())
    expect(delaysMs.length).toBeGreaterThan(4)
    expect(delaysMs.reduce((sum, delayMs) => sum + delayMs)).toBeLessThan(30_000)
  })

  test('reports that nothing listens', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as AddressInfo
    closed.close()
    const error = await catchError(openClient(`http://127.0.0.1:${port}`).list())
    expect(error).toMatchObject({
      status: 0,
      codedMessage: {
        code: 'service_unreachable',
        params: { service: 'Bitbucket', reason: { code: 'connection_refused' } },
      },
    })
  })

  test('reports that every response hangs', async () => {
    const { origin } = await startServer(hang)
    const error = await catchError(openClient(origin, { timeoutMs: 100, totalTimeoutMs: 250 }).list())
    expect(error).toMatchObject({ status: 0, codedMessage: { code: 'service_timed_out' } })
  })

  test('does not blame Bitbucket when the client is closed', async () => {
    const { origin } = await startServer(hang)
    const { list, close } = openClient(origin)
    setTimeout(close, 50)
    await expect(list()).rejects.toEqual(new Error('The HTTP client was closed (Bitbucket)'))
  })
})
