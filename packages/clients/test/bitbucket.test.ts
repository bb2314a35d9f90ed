import { describe, expect, test } from 'vitest'
import { type Answer, client, failure, json, one, plain, repository, server } from './bitbucket-responses.ts'

describe('the list', () => {
  test('requests a hundred at a time with the needed fields, then follows next', async () => {
    const next = '/elsewhere?opaque=%7Bx%7D&page=2'
    const { origin, asked } = await server(
      (request, response) =>
        json({ values: [repository('one')], next: `http://${request.headers.host}${next}` })(
          request,
          response,
        ),
      json({ values: [repository('two', { slug: undefined, description: null })] }),
    )
    const list = await client(origin).list()
    expect(list).toEqual([
      {
        name: 'one',
        project: { key: 'TP', name: 'TP projects' },
        description: '',
        fork_policy: null,
        html_url: 'https://bitbucket.org/agency/one',
        clone_url: 'https://bitbucket.org/agency/one.git',
        parent: null,
        created_on: new Date('2025-03-01T08:15:30.123Z'),
        updated_on: new Date('2025-03-02T09:00:00.000Z'),
      },
      expect.objectContaining({ name: 'two' }),
    ])
    const first = new URL(asked[0]?.url ?? '', origin)
    expect(first.pathname).toBe('/2.0/repositories/agency')
    expect(first.searchParams.get('pagelen')).toBe('100')
    expect(first.searchParams.get('fields')).toMatch(/^next,values\.slug,/)
    expect(asked[1]?.url).toBe(next)
  })

  test('contains a repository once if two pages have it', async () => {
    const { origin } = await server(
      (request, response) =>
        json({ values: [repository('one')], next: `http://${request.headers.host}/2` })(request, response),
      json({ values: [repository('one', { description: 'newer' })] }),
    )
    expect(await client(origin).list()).toMatchObject([{ name: 'one', description: 'newer' }])
  })

  test('ends if the pages do not', async () => {
    const { origin, asked } = await server((request, response) =>
      json({ values: [], next: `http://${request.headers.host}/again` })(request, response),
    )
    expect((await failure(client(origin).list())).message).toMatch(/more than 200 pages/)
    expect(asked).toHaveLength(200)
  })

  test.each([
    [
      'a next page',
      (other: string): Answer => json({ values: [], next: `${other}/2.0/repositories/agency?page=2` }),
    ],
    [
      'a redirect',
      (other: string): Answer => plain(302, '', { location: `${other}/2.0/repositories/agency` }),
    ],
  ])('sends nothing to another host for %s', async (_, answer) => {
    const other = await server(one)
    const { origin, asked } = await server(answer(other.origin))
    expect((await failure(client(origin).list())).message).toMatch(/does not follow\. Check BITBUCKET_URL/)
    expect(other.asked).toEqual([])
    expect(asked).toHaveLength(1)
  })

  test.each([
    ['text', plain(200, '<html>maintenance</html>'), /invalid JSON/],
    ['half a document', plain(200, '{"values": ['), /invalid JSON/],
    ['another document', json({ values: 'none' }), /unexpected response \(values: /],
    [
      'a repository without a time',
      json({ values: [repository('one', { created_on: 'yesterday' })] }),
      /values\.0\.created_on/,
    ],
    [
      'a link that is a script',
      json({ values: [repository('one', { links: { html: { href: 'javascript:alert(1)' } } })] }),
      /links\.html\.href/,
    ],
    ['ten megabytes', plain(200, ' '.repeat(10 * 1024 * 1024)), /sent a response that is too large/],
  ])('rejects %s', async (_, answer, sentence) => {
    const { origin, asked } = await server(answer)
    expect((await failure(client(origin).list())).message).toMatch(sentence)
    expect(asked).toHaveLength(1)
  })
})

describe('credentials', () => {
  test.each([
    ['a token of its own', 'secret-token', 'Bearer secret-token'],
    ["a user's token", 'staff@kustos.test:secret', `Basic ${btoa('staff@kustos.test:secret')}`],
  ])('are sent as %s', async (_, given, authorization) => {
    const { origin, asked } = await server(one)
    await client(origin, { credentials: given }).list()
    expect(asked[0]?.authorization).toBe(authorization)
  })
})
