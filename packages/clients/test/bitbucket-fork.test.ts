import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { SlugTaken } from '../src/bitbucket/index.ts'
import {
  type Asked,
  breaks,
  client,
  failure,
  json,
  plain,
  repository,
  server,
  slugTaken,
} from './bitbucket-responses.ts'

describe('a fork', () => {
  const wanted = { name: 'two', project: 'TP', description: '' }
  const made = json(repository('two', { parent: { full_name: 'agency/one' } }))
  const absent = json({ type: 'error', error: { message: 'Not found' } }, 404)
  const created = json(repository('two', { parent: { full_name: 'agency/one' } }), 201)
  const methods = (asked: readonly Asked[]) => asked.map(({ method }) => method).join(' ')

  test('is requested with all its properties', async () => {
    let body = ''
    const http = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (more: string) => {
        body += more
      })
      request.once('end', () => created(request, response))
    }).listen(0, '127.0.0.1')
    await once(http, 'listening')
    onTestFinished(() => http.closeAllConnections())
    onTestFinished(() => void http.close())
    const { fork } = client(`http://127.0.0.1:${(http.address() as AddressInfo).port}`)
    expect(await fork('one', wanted)).toMatchObject({ name: 'two', parent: 'agency/one' })
    expect(JSON.parse(body)).toEqual({
      name: 'two',
      description: '',
      project: { key: 'TP' },
      workspace: { slug: 'agency' },
    })
  })

  test('is retried after 429, which had no effect', async () => {
    const { origin, asked } = await server(plain(429, ''), created)
    expect(await client(origin).fork('one', wanted)).toMatchObject({ name: 'two' })
    expect(methods(asked)).toBe('POST POST')
  })

  test.each([
    ['503', plain(503, '')],
    ['a broken connection', breaks],
    ['an answer that nobody can read', plain(201, 'created')],
  ])('that was created despite %s is found and not created again', async (_, answer) => {
    const { origin, asked } = await server(answer, made)
    expect(await client(origin).fork('one', wanted)).toMatchObject({ name: 'two', parent: 'agency/one' })
    expect(methods(asked)).toBe('POST GET')
  })

  test('that was not created is requested once more', async () => {
    const { origin, asked } = await server(breaks, absent, created)
    expect(await client(origin).fork('one', wanted)).toMatchObject({ name: 'two' })
    expect(methods(asked)).toBe('POST GET POST')
  })

  test('that appears after the lookup is found by the second attempt', async () => {
    const { origin, asked } = await server(breaks, absent, slugTaken, made)
    expect(await client(origin).fork('one', wanted)).toMatchObject({ name: 'two' })
    expect(methods(asked)).toBe('POST GET POST GET')
  })

  test('with an existing name is refused as taken', async () => {
    const { origin, asked } = await server(slugTaken)
    await expect(client(origin).fork('one', wanted)).rejects.toBeInstanceOf(SlugTaken)
    expect(methods(asked)).toBe('POST')
  })

  test.each([
    ['from another source', { parent: { full_name: 'agency/other' } }],
    ['of the same source for something else', { parent: { full_name: 'agency/one' }, description: 'else' }],
  ])('whose name has since been taken, %s, is not mistaken for ours', async (_, other) => {
    const { origin } = await server(breaks, absent, slugTaken, json(repository('two', other)))
    await expect(client(origin).fork('one', wanted)).rejects.toBeInstanceOf(SlugTaken)
  })

  test('that can neither be created nor found says so', async () => {
    const { origin } = await server(breaks)
    expect((await failure(client(origin).fork('one', wanted))).message).toMatch(/could not be seen/)
  })

  test.each(['', '..', 'a/b', 'Über uns', '../../user'])(
    'named %j is never sent to another path',
    async (name) => {
      const { origin, asked } = await server(created)
      await failure(client(origin).fork('one', { ...wanted, name }))
      await failure(client(origin).fork(name, wanted))
      expect(asked).toEqual([])
    },
  )
})
