import { createConnection, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a connection said until it was closed, or until nothing had come for a while. */
export interface RawExchange {
  readonly text: string
  /** Status lines of all answers that came, in order. */
  readonly statuses: readonly number[]
  readonly isClosed: boolean
  readonly ms: number
}

interface Talk {
  /** How long to wait for the server to close, in milliseconds. */
  readonly patience?: number
  /** Between two pieces, in milliseconds. */
  readonly pause?: number
  /** Ends the wait as soon as this has come. */
  readonly until?: RegExp
}

const connect = (origin: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = createConnection(Number(new URL(origin).port), '127.0.0.1', () => resolve(socket))
    socket.once('error', reject)
  })

/**
 * Sends bytes as they are, which clients of HTTP are too polite for, piece by piece as long as the server listens, and
 * gives what came back.
 */
export async function sendRaw(
  origin: string,
  pieces: string | Iterable<string>,
  { patience = 10_000, pause = 0, until }: Talk = {},
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
  // Cut off while it still sends: that is an end like another.
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isClosed = true
    wake()
  })
  const over = new Promise<void>((resolve) => {
    wake = resolve
  })
  for (const piece of typeof pieces === 'string' ? [pieces] : pieces) {
    if (socket.destroyed || !socket.writable) break
    socket.write(piece, 'latin1')
    // Nobody who reads no more is waited for longer than for an answer.
    for (let waited = 0; socket.writableNeedDrain && !isClosed && waited < patience; waited += 5)
      await sleep(5)
    if (pause > 0) await Promise.race([sleep(pause), over])
  }
  const patient = new AbortController()
  await Promise.race([over, sleep(patience, undefined, { signal: patient.signal }).catch(() => undefined)])
  patient.abort()
  const ms = performance.now() - started
  socket.destroy()
  const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))
  return { text, statuses, isClosed, ms }
}

/** A request's head and body as bytes. */
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

/** One request and its answer, the connection closed afterwards. */
export const sendRequest = (
  origin: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): Promise<RawExchange> =>
  sendRaw(origin, requestText(method, path, { ...headers, connection: 'close' }, body))

/** The cookies and the token of somebody who is signed in, for requests that are written by hand. */
export function credentialsOf({ cookies }: { readonly cookies: ReadonlyMap<string, string> }) {
  return {
    cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
    'x-xsrf-token': decodeURIComponent(cookies.get('XSRF-TOKEN') ?? ''),
  }
}
