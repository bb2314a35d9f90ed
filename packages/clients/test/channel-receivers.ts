import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** The response of an HTTP endpoint; `hang` never responds, `break` closes the connection. */
export type HttpReply =
  | 'hang'
  | 'break'
  | { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }

export interface PostedRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
}

/** An endpoint on loopback that channels post JSON to. */
export async function startHttpReceiver(usual: HttpReply) {
  const state = {
    /** All requests in the order of arrival, including those that failed. */
    posted: [] as PostedRequest[],
    /** The replies to the next requests; all others get the usual one. */
    next: [] as HttpReply[],
    usual,
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { url: path = '', headers } = request
    state.posted.push({ path, headers, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) })
    const reply = state.next.shift() ?? state.usual
    if (reply === 'hang') return
    if (reply === 'break') return void response.destroy()
    response.writeHead(reply.status, reply.headers).end(reply.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    state,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** Names in lower case, values decoded. */
  readonly headers: ReadonlyMap<string, string>
  /** Decoded. */
  readonly text: string
}

/** An SMTP server on loopback that records its mails. */
export async function startMailReceiver(options: SMTPServerOptions = {}) {
  const state = {
    mails: [] as ReceivedMail[],
    /** The errors that the next mails are rejected with after their text. */
    refusals: [] as { readonly responseCode: number; readonly message: string }[],
  }
  const server = new SMTPServer({
    logger: false,
    authOptional: true,
    hideSTARTTLS: true,
    disableReverseLookup: true,
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.once('end', () => {
        const refusal = state.refusals.shift()
        if (refusal) {
          callback(Object.assign(new Error(refusal.message), { responseCode: refusal.responseCode }))
          return
        }
        const { mailFrom, rcptTo } = session.envelope
        state.mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          ...parseMail(Buffer.concat(chunks).toString('latin1')),
        })
        callback()
      })
    },
    ...options,
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    state,
    port: (server.server.address() as AddressInfo).port,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

function parseMail(raw: string): Pick<ReceivedMail, 'headers' | 'text'> {
  const end = raw.indexOf('\r\n\r\n')
  const unfolded = raw.slice(0, end).replace(/\r\n[ \t]+/g, ' ')
  const headers = new Map(
    unfolded.split('\r\n').map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())] as const
    }),
  )
  const body = raw.slice(end + 4)
  const encoding = headers.get('content-transfer-encoding')
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : encoding === 'quoted-printable'
        ? decodeQuotedPrintable(body)
        : Buffer.from(body, 'latin1')
  return { headers, text: bytes.toString('utf8').replaceAll('\r\n', '\n').trimEnd() }
}

/** Decodes encoded words (RFC 2047). Space between two of them does not count. */
const decodeWords = (value: string): string =>
  value.replace(/\?=\s+=\?/g, '?==?').replace(/(=\?utf-8\?[bq]\?[^?]*\?=)+/gi, (words) => {
    const parts = [...words.matchAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi)].map(([, kind, text = '']) =>
      kind?.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64')
        : decodeQuotedPrintable(text.replaceAll('_', ' ')),
    )
    return Buffer.concat(parts).toString('utf8')
  })

/** RFC 2045. */
const decodeQuotedPrintable = (text: string): Buffer =>
  Buffer.from(
    text
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
