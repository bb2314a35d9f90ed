import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import type { AddressInfo, Server, Socket } from 'node:net'
import { join } from 'node:path'
import { errorCode } from './start-error.ts'

export const loopback = '127.0.0.1'

/** @returns the port; port 0 means any free one */
export async function listen(server: Server, address: string, port = 0): Promise<number> {
  server.listen(port, address)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/**
 * Listens on the port of the last start, which clones and bookmarks refer to, or on any free one if that is taken.
 * @param folder where the port is stored
 */
export async function listenOnStoredPort(server: Server, address: string, folder: string): Promise<number> {
  const file = join(folder, 'port')
  const stored = Number(await readFile(file, 'utf8').catch(() => '0'))
  const port = await listen(server, address, stored).catch((error: unknown) => {
    if (errorCode(error) !== 'EADDRINUSE') throw error
    return listen(server, address)
  })
  await writeFile(file, String(port))
  return port
}

/** Tracks a server's connections and returns a function that closes the server and breaks them. */
export function trackConnections(server: Server): () => Promise<void> {
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
