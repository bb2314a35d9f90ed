import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openWebhook } from '../src/webhook/webhook.ts'
import { catchDeliveryError } from './delivery-failure.ts'

const key = `whsec_${'k'.repeat(32)}`
const message = { id: 'kustos-alert-1', title: 'a.test is down', lines: [] }

/** Opens a webhook whose receiver ends its responses in a way of its own. */
async function open(respond: (response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    request.resume().once('end', () => respond(response))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const webhook = openWebhook({
    url: `http://127.0.0.1:${port}/hook`,
    key,
    guard: { allowNetworks: ['127.0.0.0/8'] },
    timeoutMs: 500,
  })
  onTestFinished(async () => {
    await webhook.close()
    server.close()
    server.closeAllConnections()
  })
  return webhook
}

const ends: readonly [string, (response: ServerResponse) => void][] = [
  ['is large', (response) => void response.end('x'.repeat(200_000))],
  ['breaks off', (response) => void response.write('x', () => response.destroy())],
  ['never ends', (response) => void response.write('x')],
]

test.each(ends)('a message that was accepted with a response that %s is not sent again', async (_, end) => {
  const webhook = await open((response) => end(response.writeHead(200)))
  await webhook.send(message)
})

test.each(ends)('a message that was refused with a response that %s is', async (_, end) => {
  const webhook = await open((response) => end(response.writeHead(503)))
  const error = await catchDeliveryError(webhook.send(message), [key])
  expect(error).toMatchObject({
    message: 'The webhook reported a server error (503).',
    isPermanent: false,
  })
})
