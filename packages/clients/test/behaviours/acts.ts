import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Act } from './behaviour.ts'

/** Sends these bytes and ends the connection. */
export const send =
  (...lines: readonly string[]): Act =>
  (socket) =>
    void socket.end(lines.join('\r\n'))

/** A page of five bytes. @param status such as `200 OK` */
export const answer = (status: string, ...headers: readonly string[]): Act =>
  send(`HTTP/1.1 ${status}`, 'Content-Length: 5', ...headers, '', 'hello')

export const redirect = (status: string, to: string): Act => answer(status, `Location: ${to}`)

/** Says nothing more. */
export const keepSilent: Act = () => undefined

export const reset: Act = (_, connection) => void connection.resetAndDestroy()

export const hangUp: Act = (socket) => void socket.end()

/** Sends a text in pieces until the visitor has gone. @param pauseMs between two of them */
const sendForever =
  (beginning: string, piece: string, pauseMs: number): Act =>
  (socket) => {
    socket.write(beginning)
    void repeat(socket, piece, pauseMs)
  }

async function repeat(socket: Socket, piece: string, pauseMs: number): Promise<void> {
  while (!socket.destroyed && socket.writable) {
    socket.write(piece)
    await sleep(pauseMs)
  }
}

const endlessBody = 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n'

/** A page that never ends, as fast as it is read. */
export const flood: Act = sendForever(endlessBody, 'x'.repeat(64 * 1024), 1)
/** A page that never ends, a byte at a time. */
export const drip: Act = sendForever(endlessBody, 'x', 50)
/** A header that never ends, a byte at a time. */
export const dripHeader: Act = sendForever('HTTP/1.1 200 OK\r\nX-Slow: ', 'x', 50)
/** A header that never ends, a line at a time. */
export const floodHeader: Act = sendForever('HTTP/1.1 200 OK\r\n', 'X-Line: again\r\n'.repeat(100), 1)

/** The page comes late. */
export const answerAfter =
  (ms: number): Act =>
  (...sockets) =>
    void sleep(ms).then(() => answer('200 OK')(...sockets))
