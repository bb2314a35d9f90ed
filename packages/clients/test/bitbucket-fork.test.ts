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
} from './bitbucket-answers.ts'

describe('a fork', () => {
  const wanted = { name: 'two', project: 'TP', description: '' }
  const made = json(repository('two', { parent: { full_name: 'agency/one' } }))
  const absent = json({ type: 'error', error: { message: 'Not found' } }, 404)
  const created = json(repository('two', { parent: { full_name: 'agency/one' } }), 201)
  const methods = (asked: readonly Asked[]) => asked.map(({ method }) => method).join(' ')

  test('is asked for with all that it is to have', async () => {
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

  test('is asked for again after 429, which had no effect', async () => {
    const { origin, asked } = await server(plain(429, ''), created)
    expect(await client(origin).fork('one', wanted)).toMatchObject({ name: 'two' })
    expect(methods(asked)).toBe('POST POST')
  })

  test.each([
    ['503', plain(503, '')],
    ['a broken connection', breaks],
    ['an answer that nobody can read', plain(201, 'created')],
  ])('that was made in spite of %s is found and not made again', async (_, answer) => {
    const { origin, asked } = await server(answer, made)
    expect(await client(origin).fork('one', wanted)).toMatchObject({ name: 'two', parent: 'agency/one' })
    expect(methods(asked)).toBe('POST GET')
  })

  test('that was not made is asked for once more', async () => {
    const { origin, asked } = await server(breaks, absent, created)
    expect(await client(origin).fork('one', wanted)).toMatchObject({ name: 'two' })
    expect(methods(asked)).toBe('POST GET POST')
  })

  test('that came about after it was looked for is found at the second try', async () => {
    const { origin, asked } = await server(breaks, absent, slugTaken, made)
    expect(await client(origin).fork('one', wanted)).toMatchObject({ name: 'two' })
    expect(methods(asked)).toBe('POST GET POST GET')
  })

  test('of a name that somebody else has is refused as taken', async () => {
    const { origin, asked } = await server(slugTaken)
    await expect(client(origin).fork('one', wanted)).rejects.toBeInstanceOf(SlugTaken)
    expect(methods(asked)).toBe('POST')
  })

  test.each([
    ['from another source', { parent: { full_name: 'agency/other' } }],
    ['of the same source for something else', { parent: { full_name: 'agency/one' }, description: 'else' }],
  ])('whose name somebody else took meanwhile, %s, is not mistaken for ours', async (_, other) => {
    const { origin } = await server(breaks, absent, slugTaken, json(repository('two', other)))
    await expect(client(origin).fork('one', wanted)).rejects.toBeInstanceOf(SlugTaken)
  })

  test('that can neither be made nor looked for says so', async () => {
    const { origin } = await server(breaks)
    expect((await failure(client(origin).fork('one', wanted))).message).toMatch(/could not be seen/)
  })

  test.each(['', '..', 'a/b', 'Über uns', '../../user'])(
    'named %j never leaves for the wrong place',
    async (name) => {
      const { origin, asked } = await server(created)
      await failure(client(origin).fork('one', { ...wanted, name }))
      await failure(client(origin).fork(name, wanted))
      expect(asked).toEqual([])
    },
  )
})
