import { createHmac, timingSafeEqual } from 'node:crypto'
import { HttpError, type Reply, readBody, type ServiceRequest } from '../http-service.ts'
import type { MessageStore } from './store.ts'

/** What the sandbox's receiver verifies signatures with. */
export const webhookKey = 'whsec_a3VzdG9zLXNhbmRib3gtd2ViaG9vay1zZWNyZXQtMDE='
export const webhookPath = '/hooks/kustos'

const toleranceSeconds = 5 * 60

/**
 * Receives a signed webhook, as the documents describe it: it verifies the signature and the time, and ignores what it has received
 * before.
 */
export function createWebhook(store: MessageStore) {
  const received = new Set<string>()
  return async ({ incoming }: ServiceRequest): Promise<Reply> => {
    const body = await readBody(incoming)
    const header = (name: string) => String(incoming.headers[name] ?? '')
    const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(header)
    const expected = `v1,${createHmac('sha256', Buffer.from(webhookKey.slice('whsec_'.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64')}`
    const isGenuine =
      signature?.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected))
    const isCurrent = Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds
    if (!isGenuine || !isCurrent) throw new HttpError(401, 'The signature does not match.')
    if (!received.has(id ?? '')) {
      received.add(id ?? '')
      const { type, data } = JSON.parse(body)
      const text = [...data.text, ...(data.url === null ? [] : [data.url])].join('\n')
      store.add({ channel: 'webhook', recipient: type, subject: data.title, text })
    }
    return { status: 204, headers: {}, body: '' }
  }
}
