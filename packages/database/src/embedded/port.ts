import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A free port on loopback, below the ephemeral range: a client that connects to a closed ephemeral port may get the same port as
 * its own and connect to itself.
 * @param preferred used if it is free
 */
export async function findPort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isFree(preferred))) return preferred
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
