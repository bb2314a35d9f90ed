import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { SlugTakenError } from '../src/bitbucket/index.ts'
import {
  breakConnection,
  catchError,
  openClient,
  type RecordedRequest,
  repository,
  respondJson,
  respondText,
  slugTaken,
  startServer,
} from './bitbucket-responses.ts'

describe('a fork', () => {
  const settings = { name: 'two', project: 'TP', description: '' }
  const found = respondJson(repository('two', { parent: { full_name: 'agency/one' } }))
  const absent = respondJson({ type: 'error', error: { message: 'Not found' } }, 404)
  const created = respondJson(repository('two', { parent: { full_name: 'agency/one' } }), 201)
  const methods = (requests: readonly RecordedRequest[]) => requests.map(({ method }) => method).join(' ')

  test('is requested with all its properties', async () => {
    let body = ''
    const http = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk
      })
      request.once('end', () => created(request, response))
    }).listen(0, '127.0.0.1')
    await once(http, 'listening')
    onTestFinished(() => http.closeAllConnections())
    onTestFinished(() => void http.close())
    const { fork } = openClient(`http://127.0.0.1:${(http.address() as AddressInfo).port}`)
    expect(await fork('one', settings)).toMatchObject({ name: 'two', parent: 'agency/one' })
    expect(JSON.parse(body)).toEqual({
      name: 'two',
      description: '',
      project: { key: 'TP' },
      workspace: { slug: 'agency' },
    })
  })

  test('is retried after 429, which had no effect', async () => {
    const { origin, requests } = await startServer(respondText(429, ''), created)
    expect(await openClient(origin).fork('one', settings)).toMatchObject({ name: 'two' })
    expect(methods(requests)).toBe('POST POST')
  })

  test.each([
    ['503', respondText(503, '')],
    ['a broken connection', breakConnection],
    ['an unreadable response', respondText(201, 'created')],
  ])('that was created despite %s is found instead of created again', async (_, handler) => {
    const { origin, requests } = await startServer(handler, found)
    expect(await openClient(origin).fork('one', settings)).toMatchObject({
      name: 'two',
      parent: 'agency/one',
    })
    expect(methods(requests)).toBe('POST GET')
  })

  test('that was not created is requested once more', async () => {
    const { origin, requests } = await startServer(breakConnection, absent, created)
    expect(await openClient(origin).fork('one', settings)).toMatchObject({ name: 'two' })
    expect(methods(requests)).toBe('POST GET POST')
  })

  test('that appears after the lookup is found by the second attempt', async () => {
    const { origin, requests } = await startServer(breakConnection, absent, slugTaken, found)
    expect(await openClient(origin).fork('one', settings)).toMatchObject({ name: 'two' })
    expect(methods(requests)).toBe('POST GET POST GET')
  })

  test('is rejected if its name is taken', async () => {
    const { origin, requests } = await startServer(slugTaken)
    await expect(openClient(origin).fork('one', settings)).rejects.toBeInstanceOf(SlugTakenError)
    expect(methods(requests)).toBe('POST')
  })

  test.each([
    ['from another source', { parent: { full_name: 'agency/other' } }],
    ['from the same source for something else', { parent: { full_name: 'agency/one' }, description: 'else' }],
  ])('is not confused with a repository of the same name that was created meanwhile %s', async (_, other) => {
    const { origin } = await startServer(
      breakConnection,
      absent,
      slugTaken,
      respondJson(repository('two', other)),
    )
    await expect(openClient(origin).fork('one', settings)).rejects.toBeInstanceOf(SlugTakenError)
  })

  test('fails if it can neither be created nor found', async () => {
    const { origin } = await startServer(breakConnection)
    expect((await catchError(openClient(origin).fork('one', settings))).codedMessage).toMatchObject({
      code: 'bitbucket_fork_unknown',
      params: { reason: { code: 'service_unreachable' } },
    })
  })

  test.each(['', '..', 'a/b', 'Über uns', '../../user'])('named %j sends no request', async (name) => {
    const { origin, requests } = await startServer(created)
    await catchError(openClient(origin).fork('one', { ...settings, name }))
    await catchError(openClient(origin).fork(name, settings))
    expect(requests).toEqual([])
  })
})
