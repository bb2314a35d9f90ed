import { once } from 'node:events'
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'

interface SlowRequest {
  readonly method: string
  readonly path: string
  readonly headers: OutgoingHttpHeaders
  /** Of at least two bytes. */
  readonly body: string
}

interface HeldResponse {
  readonly status: number
  readonly type: string
  readonly text: string
  /** Whether it was sent before the rest of the body. */
  readonly isEarly: boolean
}

/** Sends the head and the first byte of the body. @returns a function that sends the rest and returns the response */
export async function holdRequest(
  origin: string,
  { method, path, headers, body }: SlowRequest,
): Promise<() => Promise<HeldResponse>> {
  const bytes = Buffer.from(body)
  const sent = request(origin, {
    agent: false,
    method,
    path,
    headers: {
      ...headers,
      'content-length': bytes.length,
      // The server says that it has read the head.
      expect: '100-continue',
    },
  })
  let isEarly = true
  const response = readResponse(sent).then((read) => ({ ...read, isEarly }))
  // The caller sees a failure once it sends the rest.
  response.catch(() => undefined)
  sent.flushHeaders()
  await Promise.race([once(sent, 'continue'), response])
  sent.write(bytes.subarray(0, 1))
  return () => {
    isEarly = false
    sent.end(bytes.subarray(1))
    return response
  }
}

async function readResponse(sent: ReturnType<typeof request>) {
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  // The server may close the connection of a refused request before the rest has been sent.
  sent.on('error', () => undefined)
  const { statusCode: status = 0, headers } = response
  return {
    status,
    type: headers['content-type'] ?? '',
    text: await response.setEncoding('utf8').reduce((text: string, part) => text + part, ''),
  }
}
