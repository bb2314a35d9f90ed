import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startEgressProxy } from '../src/browser/egress-proxy.ts'

type Connector = Parameters<typeof startEgressProxy>[0]

const settings = {
  link: { local: '127.0.0.1', remote: '127.0.0.1' },
  checksCertificates: false,
  maxBytes: 1000,
  maxConnections: 10,
  onLimit: () => undefined,
}

test.each(['CONNECT web.test:443 HTTP/1.1', 'GET http://web.test/ HTTP/1.1'])(
  'leaves no connection open that is made after %s was given up, or after the visit',
  async (request) => {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const pending: (() => Promise<Socket>)[] = []
    const connector: Connector = {
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
    const proxy = await startEgressProxy(connector, settings)
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

test.each(['099 No', '000 No', '999 No'])(
  'passes on or refuses a response with the status %s',
  async (status) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 2\r\n\r\nno`)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const connector: Connector = {
      connect: (_, callback) => {
        const socket = connect(port, '127.0.0.1', () => callback(null, socket))
      },
      close: () => undefined,
    }
    const proxy = await startEgressProxy(connector, settings)
    onTestFinished(async () => {
      await proxy.close()
      server.close()
    })
    const client = connect(Number(new URL(proxy.address).port), '127.0.0.1')
    client.write('GET http://web.test/ HTTP/1.1\r\nhost: web.test\r\nconnection: close\r\n\r\n')
    expect(await text(client)).toMatch(status.startsWith('0') ? /^$/ : /^HTTP\/1\.1 999 /)
  },
)
