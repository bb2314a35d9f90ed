import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A free port on loopback, below those that the system gives to outgoing connections: a client that knocks at a
 * closed port out of that range can be given the very same as its own, and then talks to itself.
 *
 * @param wish taken where it is free
 */
export async function findPort(wish?: number): Promise<number> {
  if (wish !== undefined && (await isFree(wish))) return wish
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = randomInt(20_000, 32_000)
    if (await isFree(port)) return port
  }
  throw new Error('There is no free port on 127.0.0.1 for Postgres.')
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
