import { createConnection, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** The responses of a connection until it was closed or silent for a while. */
export interface RawExchange {
  readonly text: string
  /** Of all responses, in order. */
  readonly statuses: readonly number[]
  readonly isClosed: boolean
  readonly ms: number
}

interface RawOptions {
  /** How long to wait for the server to close. */
  readonly timeoutMs?: number
  /** Between two pieces. */
  readonly pauseMs?: number
  /** Ends the wait as soon as the received text matches. */
  readonly until?: RegExp
}

const connect = (origin: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = createConnection(Number(new URL(origin).port), '127.0.0.1', () => resolve(socket))
    socket.once('error', reject)
  })

/** Sends raw bytes piece by piece while the server reads them, unlike HTTP clients, which allow only valid requests. */
export async function sendRaw(
  origin: string,
  pieces: string | Iterable<string>,
  { timeoutMs = 10_000, pauseMs = 0, until }: RawOptions = {},
): Promise<RawExchange> {
  const started = performance.now()
  const socket = await connect(origin)
  let text = ''
  let isClosed = false
  let wake = () => {}
  socket.on('data', (data) => {
    text += data.toString('latin1')
    if (until?.test(text)) wake()
  })
  // The server may close the connection while this side still sends.
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isClosed = true
    wake()
  })
  const closed = new Promise<void>((resolve) => {
    wake = resolve
  })
  for (const piece of typeof pieces === 'string' ? [pieces] : pieces) {
    if (socket.destroyed || !socket.writable) break
    socket.write(piece, 'latin1')
    // A server that stops reading is not waited for longer than for a response.
    for (let waited = 0; socket.writableNeedDrain && !isClosed && waited < timeoutMs; waited += 5)
      await sleep(5)
    if (pauseMs > 0) await Promise.race([sleep(pauseMs), closed])
  }
  const timer = new AbortController()
  await Promise.race([closed, sleep(timeoutMs, undefined, { signal: timer.signal }).catch(() => undefined)])
  timer.abort()
  const ms = performance.now() - started
  socket.destroy()
  const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))
  return { text, statuses, isClosed, ms }
}

/** The text of an HTTP request. */
export const requestText = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): string =>
  [
    `${method} ${path} HTTP/1.1`,
    ...Object.entries({ host: 'kustos.test', ...headers }).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n')

/** Sends one request on its own connection. */
export const sendRequest = (
  origin: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): Promise<RawExchange> =>
  sendRaw(origin, requestText(method, path, { ...headers, connection: 'close' }, body))

/** The cookies and the token of a client, for raw requests. */
export function credentialsOf({ cookies }: { readonly cookies: ReadonlyMap<string, string> }) {
  return {
    cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
    'x-xsrf-token': decodeURIComponent(cookies.get('XSRF-TOKEN') ?? ''),
  }
}
