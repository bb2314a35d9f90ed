import { describe, expect, test } from 'vitest'
import {
  catchError,
  type Handler,
  oneRepository,
  openClient,
  repository,
  respondJson,
  respondText,
  startServer,
} from './bitbucket-responses.ts'

describe('the repository list', () => {
  test('is requested in pages of a hundred with the needed fields only', async () => {
    const next = '/elsewhere?opaque=%7Bx%7D&page=2'
    const { origin, requests } = await startServer(
      (request, response) =>
        respondJson({ values: [repository('one')], next: `http://${request.headers.host}${next}` })(
          request,
          response,
        ),
      respondJson({ values: [repository('two', { slug: undefined, description: null })] }),
    )
    const list = await openClient(origin).list()
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
    const first = new URL(requests[0]?.url ?? '', origin)
    expect(first.pathname).toBe('/2.0/repositories/agency')
    expect(first.searchParams.get('pagelen')).toBe('100')
    expect(first.searchParams.get('fields')).toMatch(/^next,values\.slug,/)
    expect(requests[1]?.url).toBe(next)
  })

  test('contains a repository once even if it is on two pages', async () => {
    const { origin } = await startServer(
      (request, response) =>
        respondJson({ values: [repository('one')], next: `http://${request.headers.host}/2` })(
          request,
          response,
        ),
      respondJson({ values: [repository('one', { description: 'newer' })] }),
    )
    expect(await openClient(origin).list()).toMatchObject([{ name: 'one', description: 'newer' }])
  })

  test('fails if the pages never end', async () => {
    const { origin, requests } = await startServer((request, response) =>
      respondJson({ values: [], next: `http://${request.headers.host}/again` })(request, response),
    )
    expect((await catchError(openClient(origin).list())).codedMessage).toMatchObject({
      code: 'service_too_many_pages',
      params: { max: 1000 },
    })
    expect(requests).toHaveLength(1000)
  })

  test.each([
    [
      'a next page',
      (other: string): Handler =>
        respondJson({ values: [], next: `${other}/2.0/repositories/agency?page=2` }),
      'service_next_page_elsewhere',
    ],
    [
      'a redirect',
      (other: string): Handler => respondText(302, '', { location: `${other}/2.0/repositories/agency` }),
      'bitbucket_moved',
    ],
  ])('sends nothing to another host that is named by %s', async (_, respond, code) => {
    const other = await startServer(oneRepository)
    const { origin, requests } = await startServer(respond(other.origin))
    expect((await catchError(openClient(origin).list())).codedMessage.code).toBe(code)
    expect(other.requests).toEqual([])
    expect(requests).toHaveLength(1)
  })

  test.each([
    ['text', respondText(200, '<html>maintenance</html>'), /service_answer_not_json/],
    ['half a document', respondText(200, '{"values": ['), /service_answer_not_json/],
    ['another document', respondJson({ values: 'none' }), /service_answer_unreadable.*values: /],
    [
      'a repository without a time',
      respondJson({ values: [repository('one', { created_on: 'yesterday' })] }),
      /values\.0\.created_on/,
    ],
    [
      'a link that is a script',
      respondJson({ values: [repository('one', { links: { html: { href: 'javascript:alert(1)' } } })] }),
      /links\.html\.href/,
    ],
    ['ten megabytes', respondText(200, ' '.repeat(10 * 1024 * 1024)), /service_answer_too_large/],
  ])('rejects %s', async (_, handler, reason) => {
    const { origin, requests } = await startServer(handler)
    expect(JSON.stringify((await catchError(openClient(origin).list())).codedMessage)).toMatch(reason)
    expect(requests).toHaveLength(1)
  })
})

describe('credentials', () => {
  test.each([
    ['a bearer token for an access token', 'secret-token', 'Bearer secret-token'],
    [
      "basic authentication for a user's API token",
      'staff@kustos.test:secret',
      `Basic ${btoa('staff@kustos.test:secret')}`,
    ],
  ])('are sent as %s', async (_, credentials, authorization) => {
    const { origin, requests } = await startServer(oneRepository)
    await openClient(origin, { credentials }).list()
    expect(requests[0]?.authorization).toBe(authorization)
  })
})
