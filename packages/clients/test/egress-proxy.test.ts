import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startEgressProxy } from '../src/browser/egress-proxy.ts'

test.each(['CONNECT web.test:443 HTTP/1.1', 'GET http://web.test/ HTTP/1.1'])(
  'leaves no connection open that is made after %s was given up, or after the visit',
  async (request) => {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const pending: (() => Promise<Socket>)[] = []
    const connector: Parameters<typeof startEgressProxy>[0] = {
      connect: (_, callback) => {
        pending.push(async () => {
          const socket = connect(port, '127.0.0.1')
          await once(socket, 'connect')
          callback(null, socket)
          return socket
        })
      },
      close: () => undefined,
    }
    const proxy = await startEgressProxy(connector, {
      link: { local: '127.0.0.1', remote: '127.0.0.1' },
      checksCertificates: false,
      maxBytes: 1000,
      maxConnections: 10,
      onLimit: () => undefined,
    })
    onTestFinished(async () => {
      await proxy.close()
      server.close()
    })
    const ask = async () => {
      const client = connect(Number(new URL(proxy.address).port), '127.0.0.1')
      const before = pending.length
      client.write(`${request}\r\nhost: web.test\r\n\r\n`)
      await vi.waitFor(() => expect(pending).toHaveLength(before + 1))
      return client
    }
    const isClosed = async (open: (() => Promise<Socket>) | undefined) => {
      const socket = await open?.()
      return await expect.poll(() => socket?.destroyed).toBe(true)
    }
    const client = await ask()
    client.destroy()
    // Until the proxy has noticed it.
    await sleep(100)
    await isClosed(pending[0])
    await ask()
    await proxy.close()
    await isClosed(pending[1])
  },
)
