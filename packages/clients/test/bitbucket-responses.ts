import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { BitbucketError, type BitbucketOptions, openBitbucket } from '../src/bitbucket/index.ts'

const credentials = 'secret-token'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

export interface RecordedRequest {
  readonly method: string
  readonly url: string
  readonly authorization: string | undefined
}

/** A server whose first handler takes the first request, and so on; the last one takes all further requests. */
export async function startServer(...handlers: readonly [Handler, ...Handler[]]) {
  const requests: RecordedRequest[] = []
  const http = createServer((request, response) => {
    const handle = handlers[Math.min(requests.length, handlers.length - 1)] ?? handlers[0]
    const { method = '', url = '', headers } = request
    requests.push({ method, url, authorization: headers.authorization })
    // The body has to be read before the response, or the connection breaks.
    request.resume().once('end', () => handle(request, response))
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  onTestFinished(() => {
    http.close()
    http.closeAllConnections()
  })
  return { requests, origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}` }
}

/** A client whose delays take no time, but are recorded and advance its clock. */
export function openClient(origin: string, overrides: Partial<BitbucketOptions> = {}) {
  const delaysMs: number[] = []
  let aheadMs = 0
  const bitbucket = openBitbucket({
    url: `${origin}/2.0`,
    workspace: 'agency',
    credentials,
    now: () => Date.now() + aheadMs,
    async sleep(milliseconds) {
      delaysMs.push(milliseconds)
      aheadMs += milliseconds
    },
    ...overrides,
  })
  onTestFinished(() => bitbucket.close())
  return { ...bitbucket, delaysMs }
}

export const respondJson =
  (body: unknown, status = 200): Handler =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

export const respondText =
  (status: number, body: string, headers: Record<string, string> = {}): Handler =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(body)

export const hang: Handler = () => undefined
export const breakConnection: Handler = (_, response) => response.destroy()

export const repository = (slug: string, more: object = {}) => ({
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
/** A list of a single page. */
export const oneRepository = respondJson({ values: [repository('one')] })
export const slugTaken = respondJson(
  { type: 'error', error: { message: 'Repository with this Slug and Owner already exists.' } },
  400,
)

/** The error that a call fails with. It contains no credentials. */
export async function catchError(call: Promise<unknown>): Promise<BitbucketError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof BitbucketError)) throw new Error(`It did not fail as it should: ${error}`)
  expect(error.codedMessage.code).not.toBe('service_failed')
  expect(JSON.stringify([error.message, error.codedMessage])).not.toContain(credentials)
  return error
}
