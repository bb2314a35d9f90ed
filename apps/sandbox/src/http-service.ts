import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describeError } from './start-error.ts'

const maxBodyBytes = 256 * 1024

/** Becomes an error response in the format of the simulated service. */
export class HttpError extends Error {
  readonly status: number
  readonly details: object

  constructor(status: number, message: string, details: object = {}) {
    super(message)
    this.status = status
    this.details = details
  }
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const reply =
  (type: string) =>
  (body: string, status = 200, headers: Reply['headers'] = {}): Reply => ({
    status,
    headers: { 'content-type': `${type}; charset=utf-8`, ...headers },
    body,
  })

export const textReply = reply('text/plain')
export const htmlReply = reply('text/html')
const jsonText = reply('application/json')
export const jsonReply = (value: unknown, status?: number, headers?: Reply['headers']): Reply =>
  jsonText(JSON.stringify(value), status, headers)

export interface ServiceRequest {
  readonly url: URL
  /** Decoded path parameters of the route. */
  readonly params: Readonly<Record<string, string>>
  readonly incoming: IncomingMessage
  readonly response: ServerResponse
}

/** Returns null if it has sent the response itself. */
export type Handler = (request: ServiceRequest) => Reply | null | Promise<Reply | null>

/** Undefined: the request is served as usual. */
export type Fault = (request: ServiceRequest) => ReturnType<Handler> | undefined | Promise<undefined>

/** The path is a URLPattern pathname, such as `/users/:id`. */
export type Route = readonly [method: string, path: string, handle: Handler]

export interface ServiceSettings {
  readonly routes: readonly Route[]
  /** `PUT /_sandbox/health/<name>` switches one of them on, and `ok` switches it off. */
  readonly faults?: Readonly<Record<string, Fault>>
  readonly formatError: (error: HttpError, path: string) => Reply
}

export const breakConnection = ({ response }: ServiceRequest): null => {
  response.destroy()
  return null
}

/** A listener for a Node server that routes requests and can be told to fail. */
export function createService({ routes, faults = {}, formatError }: ServiceSettings) {
  let fault: Fault | undefined
  const setFault: Handler = ({ params: { name = '' } }) => {
    if (name !== 'ok' && !Object.hasOwn(faults, name))
      throw new HttpError(400, `The health must be one of ok, ${Object.keys(faults).join(', ')}`)
    fault = faults[name]
    return jsonReply({ health: name })
  }
  const table = [['PUT', '/_sandbox/health/:name', setFault] as Route, ...routes].map(
    ([method, pathname, handle]) => ({ method, pattern: new URLPattern({ pathname }), handle }),
  )

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<Reply | null> {
    const url = new URL(incoming.url ?? '/', 'http://localhost')
    const matching = table.flatMap(({ pattern, ...route }) => {
      const groups = pattern.exec(url)?.pathname.groups
      return groups === undefined ? [] : [{ ...route, groups }]
    })
    const found = matching.find(({ method }) => method === incoming.method)
    const request = { url, params: decodeParams(found?.groups), incoming, response }
    if (found?.handle !== setFault) {
      const failed = await fault?.(request)
      if (failed !== undefined) return failed
    }
    if (found !== undefined) return found.handle(request)
    throw matching.length > 0 ? new HttpError(405, 'Method not allowed') : new HttpError(404, 'Not Found')
  }

  return (incoming: IncomingMessage, response: ServerResponse): void => {
    serve(incoming, response)
      .catch((error: unknown) =>
        formatError(
          error instanceof HttpError ? error : new HttpError(500, describeError(error)),
          incoming.url ?? '',
        ),
      )
      .then((sent) => sent && send(sent, incoming, response))
      .catch(() => response.destroy())
  }
}

function send({ status, headers, body }: Reply, incoming: IncomingMessage, response: ServerResponse): void {
  // An unread body would block the connection for the next request.
  incoming.resume()
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
}

function decodeParams(groups: Readonly<Record<string, string | undefined>> = {}): Record<string, string> {
  try {
    return Object.fromEntries(
      Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value ?? '')]),
    )
  } catch {
    throw new HttpError(400, 'Bad request')
  }
}

export async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBodyBytes) throw new HttpError(413, 'Request Entity Too Large')
    chunks.push(chunk)
  }
  return String(Buffer.concat(chunks))
}

export const readJsonObject = async (incoming: IncomingMessage) => parseJsonObject(await readBody(incoming))

export type JsonObject = Readonly<Record<string, unknown>>

/** @returns null for anything but a JSON object */
export function parseJsonObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function isSameSecret(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
