import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { BitbucketError, type BitbucketOptions, openBitbucket, SlugTaken } from '../src/bitbucket/index.ts'

const credentials = 'secret-token'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

interface Asked {
  readonly method: string
  readonly url: string
  readonly authorization: string | undefined
}

/** A server that answers the first request with the first of these, and so on; the last one stays. */
async function server(...answers: readonly [Answer, ...Answer[]]) {
  const asked: Asked[] = []
  const http = createServer((request, response) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)] ?? answers[0]
    const { method = '', url = '', headers } = request
    asked.push({ method, url, authorization: headers.authorization })
    // What is sent has to be read before an answer, or the connection breaks.
    request.resume().once('end', () => answer(request, response))
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  onTestFinished(() => {
    http.close()
    http.closeAllConnections()
  })
  return { asked, origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}` }
}

/** A client whose waits take no time and are written down, on a clock that they move. */
function client(origin: string, changed: Partial<BitbucketOptions> = {}) {
  const waits: number[] = []
  let ahead = 0
  const opened = openBitbucket({
    url: `${origin}/2.0`,
    workspace: 'agency',
    credentials,
    now: () => Date.now() + ahead,
    async sleep(milliseconds) {
      waits.push(milliseconds)
      ahead += milliseconds
    },
    ...changed,
  })
  onTestFinished(() => opened.close())
  return { ...opened, waits }
}

const json =
  (body: unknown, status = 200): Answer =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const plain =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(body)

const hangs: Answer = () => undefined
const breaks: Answer = (_, response) => response.destroy()

const repository = (slug: string, more: object = {}) => ({
  type: 'repository',
  slug,
  full_name: `agency/${slug}`,
  description: '',
  project: { key: 'TP', name: 'TP projects' },
  created_on: '2025-03-01T08:15:30.123456+00:00',
  updated_on: '2025-03-02T09:00:00.000001+00:00',
  links: {
    html: { href: `https://bitbucket.org/agency/${slug}` },
    clone: [{ name: 'https', href: `https://someone@bitbucket.org/agency/${slug}.git` }],
  },
  ...more,
})
const one = json({ values: [repository('one')] })
const slugTaken = json(
  { type: 'error', error: { message: 'Repository with this Slug and Owner already exists.' } },
  400,
)

async function failure(answer: Promise<unknown>): Promise<BitbucketError> {
  const error = await answer.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof BitbucketError)) throw new Error(`It did not fail as it should: ${error}`)
  expect(error.message).toMatch(/Bitbucket.*\.$/)
  expect(error.message).not.toContain(credentials)
  return error
}

describe('the list', () => {
  test('asks for a hundred at a time and for the fields that it needs, then follows next as it stands', async () => {
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

  test('has a repository once that two pages show', async () => {
    const { origin } = await server(
      (request, response) =>
        json({ values: [repository('one')], next: `http://${request.headers.host}/2` })(request, response),
      json({ values: [repository('one', { description: 'newer' })] }),
    )
    expect(await client(origin).list()).toMatchObject([{ name: 'one', description: 'newer' }])
  })

  test('ends where the pages do not', async () => {
    const { origin, asked } = await server((request, response) =>
      json({ values: [], next: `http://${request.headers.host}/again` })(request, response),
    )
    expect((await failure(client(origin).list())).message).toMatch(/no end after 200 pages/)
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
    ['text', plain(200, '<html>maintenance</html>'), /not JSON/],
    ['half a document', plain(200, '{"values": ['), /not JSON/],
    ['another document', json({ values: 'none' }), /cannot read \(values: /],
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
    ['ten megabytes', plain(200, ' '.repeat(10 * 1024 * 1024)), /more than Kustos is willing to read/],
  ])('refuses %s', async (_, answer, sentence) => {
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

describe('a call is made again', () => {
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
  ])('after %s, later and later', async (_, answer) => {
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
  ])('when Retry-After says, in %s', async (_, after) => {
    const { origin } = await server(plain(429, 'Too many', { 'retry-after': after() }), one)
    const { list, waits } = client(origin)
    await list()
    expect(waits).toHaveLength(1)
    expect(waits[0]).toBeGreaterThan(6_000)
    expect(waits[0]).toBeLessThanOrEqual(8_000)
  })

  test('after an answer that hangs', async () => {
    const { origin, asked } = await server(hangs, one)
    expect(await client(origin, { timeout: 200 }).list()).toHaveLength(1)
    expect(asked).toHaveLength(2)
  })

  test('after a body that hangs', async () => {
    const { origin } = await server((_, response) => response.writeHead(200).write('{"values":'), one)
    expect(await client(origin, { timeout: 200 }).list()).toHaveLength(1)
  })
})

describe('a call fails, in a sentence that staff can act on', () => {
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
    [429, plain(429, '', { 'retry-after': '900' }), /too many requests.*in 15 minutes/],
    [503, plain(503, 'upstream  connect\nerror'), /out of order \(503: upstream connect error\)/],
    [502, plain(502, `<html>${'x'.repeat(5000)}</html>`), /out of order \(502\)/],
  ])('at %i', async (status, answer, sentence) => {
    const { origin } = await server(answer)
    const error = await failure(client(origin).list())
    expect(error.status).toBe(status)
    expect(error.message).toMatch(sentence)
  })

  test('where a wait would take longer than anybody waits, at once', async () => {
    const { origin, asked } = await server(plain(429, '', { 'retry-after': '31' }))
    const { list, waits } = client(origin)
    expect((await failure(list())).status).toBe(429)
    expect({ asked: asked.length, waits }).toEqual({ asked: 1, waits: [] })
  })

  test('within half a minute, however often it is made again', async () => {
    const { origin } = await server(plain(503, ''))
    const { list, waits } = client(origin)
    await failure(list())
    expect(waits.length).toBeGreaterThan(4)
    expect(waits.reduce((sum, wait) => sum + wait)).toBeLessThan(30_000)
  })

  test('where nothing answers', async () => {
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

  test('where every answer hangs', async () => {
    const { origin } = await server(hangs)
    const error = await failure(client(origin, { timeout: 100, patience: 250 }).list())
    expect(error).toMatchObject({ status: 0, message: expect.stringMatching(/did not answer within/) })
  })

  test('when it is closed meanwhile, which is no failure of Bitbucket', async () => {
    const { origin } = await server(hangs)
    const { list, close } = client(origin)
    setTimeout(close, 50)
    await expect(list()).rejects.toEqual(new Error('The client of Bitbucket was closed'))
  })
})

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
