import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { BitbucketError, type BitbucketOptions, openBitbucket } from '../src/bitbucket/index.ts'

const credentials = 'secret-token'

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

export interface Asked {
  readonly method: string
  readonly url: string
  readonly authorization: string | undefined
}

/** A server that answers the first request with the first of these, and so on; the last one stays. */
export async function server(...answers: readonly [Answer, ...Answer[]]) {
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
export function client(origin: string, changed: Partial<BitbucketOptions> = {}) {
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

export const json =
  (body: unknown, status = 200): Answer =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

export const plain =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(body)

export const hangs: Answer = () => undefined
export const breaks: Answer = (_, response) => response.destroy()

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
/** A whole list. */
export const one = json({ values: [repository('one')] })
export const slugTaken = json(
  { type: 'error', error: { message: 'Repository with this Slug and Owner already exists.' } },
  400,
)

/** What it failed with, in a sentence that names Bitbucket and no credentials. */
export async function failure(answer: Promise<unknown>): Promise<BitbucketError> {
  const error = await answer.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof BitbucketError)) throw new Error(`It did not fail as it should: ${error}`)
  expect(error.message).toMatch(/Bitbucket.*\.$/)
  expect(error.message).not.toContain(credentials)
  return error
}
