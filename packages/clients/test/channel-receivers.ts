import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** What an endpoint over HTTP answers; `hang` never does. */
export type HttpAnswer =
  | 'hang'
  | 'break'
  | { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }

export interface Posted {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
}

/** An endpoint on loopback that channels post JSON to. */
export async function startHttpReceiver(usual: HttpAnswer) {
  const state = {
    /** All that came, in its order, whatever was answered. */
    posted: [] as Posted[],
    /** The answers to the next requests; then comes the usual one. */
    next: [] as HttpAnswer[],
    usual,
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { url: path = '', headers } = request
    state.posted.push({ path, headers, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) })
    const answer = state.next.shift() ?? state.usual
    if (answer === 'hang') return
    if (answer === 'break') return void response.destroy()
    response.writeHead(answer.status, answer.headers).end(answer.body)
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

export interface Received {
  readonly from: string
  readonly to: readonly string[]
  /** Names in lower case, values with their encoded words read. */
  readonly headers: ReadonlyMap<string, string>
  /** Decoded. */
  readonly text: string
}

/** An SMTP server on loopback that keeps what it gets. */
export async function startMailReceiver(options: SMTPServerOptions = {}) {
  const state = {
    mails: [] as Received[],
    /** Said in place of a yes to the next mails, after their text, such as { responseCode: 451 }. */
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
          ...read(Buffer.concat(chunks).toString('latin1')),
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

function read(raw: string): Pick<Received, 'headers' | 'text'> {
  const end = raw.indexOf('\r\n\r\n')
  const unfolded = raw.slice(0, end).replace(/\r\n[ \t]+/g, ' ')
  const headers = new Map(
    unfolded.split('\r\n').map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), readWords(line.slice(colon + 1).trim())] as const
    }),
  )
  const body = raw.slice(end + 4)
  const encoding = headers.get('content-transfer-encoding')
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : encoding === 'quoted-printable'
        ? unquoted(body)
        : Buffer.from(body, 'latin1')
  return { headers, text: bytes.toString('utf8').replaceAll('\r\n', '\n').trimEnd() }
}

/** Encoded words (RFC 2047); space between two of them is none. */
const readWords = (value: string): string =>
  value.replace(/\?=\s+=\?/g, '?==?').replace(/(=\?utf-8\?[bq]\?[^?]*\?=)+/gi, (words) => {
    const parts = [...words.matchAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi)].map(([, kind, text = '']) =>
      kind?.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : unquoted(text.replaceAll('_', ' ')),
    )
    return Buffer.concat(parts).toString('utf8')
  })

/** The bytes of quoted-printable (RFC 2045). */
const unquoted = (text: string): Buffer =>
  Buffer.from(
    text
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
