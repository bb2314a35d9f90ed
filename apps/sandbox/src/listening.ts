import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import type { AddressInfo, Server, Socket } from 'node:net'
import { join } from 'node:path'
import { codeOf } from './refusal.ts'

export const loopback = '127.0.0.1'

/** @returns the port, which is any that is free where it is 0 */
export async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, loopback)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/**
 * Listens where the last start did, which others may have written down, or on any port that is free.
 * @param folder keeps the port
 * @param wanted listens there and nowhere else
 */
export async function listenAgain(server: Server, folder: string, wanted?: number): Promise<number> {
  const file = join(folder, 'port')
  const kept = Number(await readFile(file, 'utf8').catch(() => '0'))
  let port: number
  try {
    port = await listen(server, wanted ?? kept)
  } catch (error) {
    if (wanted !== undefined || codeOf(error) !== 'EADDRINUSE') throw error
    port = await listen(server)
  }
  await writeFile(file, String(port))
  return port
}

/** @returns what closes a server for good: connections that are open, be they idle or in the middle, are broken. */
export function closing(server: Server): () => Promise<void> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
}
