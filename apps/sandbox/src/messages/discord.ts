import {
  HttpError,
  type JsonObject,
  type Reply,
  readJsonObject,
  type ServiceRequest,
} from '../http-service.ts'
import type { MessageStore } from './store.ts'

const [hook, token] = ['1312345678901234567', 'sandboxTokenOfTheDiscordWebhook_0123456789']

export const discordPath = `/api/webhooks/${hook}/${token}`

/** https://docs.discord.com/developers/resources/message#embed-object-embed-limits */
const limits = { title: 256, description: 4_096 } as const
const maxEmbeds = 10
const maxTotal = 6_000

/** Of a webhook, as Discord reports it in X-RateLimit headers. */
const bucket = { max: 5, windowMs: 2_000 }

/** Receives a message to a webhook. @throws HttpError with Discord's codes */
export function createDiscord(store: MessageStore, now = Date.now) {
  let sentAt: number[] = []
  return async ({ params, incoming }: ServiceRequest): Promise<Reply> => {
    if (params.hook !== hook) throw new HttpError(404, 'Unknown Webhook', { code: 10_015 })
    if (params.token !== token) throw new HttpError(401, 'Invalid Webhook Token', { code: 50_027 })
    sentAt = sentAt.filter((at) => at > now() - bucket.windowMs)
    const [first] = sentAt
    if (first !== undefined && sentAt.length >= bucket.max)
      throw new HttpError(429, 'You are being rate limited.', {
        retryAfterSeconds: (first + bucket.windowMs - now()) / 1000,
      })
    const payload = await readJsonObject(incoming)
    if (payload === null)
      throw new HttpError(400, 'The request body contains invalid JSON.', { code: 50_109 })
    const { content = '', embeds } = payload
    const all = Array.isArray(embeds) ? (embeds as JsonObject[]) : []
    if (content === '' && all.length === 0)
      throw new HttpError(400, 'Cannot send an empty message', { code: 50_006 })
    rejectLong(all)
    sentAt.push(now())
    const text = (value: unknown) => String(value ?? '').replace(/\\(.)/g, '$1')
    for (const { title, description, url } of all)
      store.add({
        channel: 'discord',
        recipient: '#kustos',
        subject: text(title),
        text: [text(description), ...(url === undefined ? [] : [String(url)])].join('\n'),
      })
    return { status: 204, headers: {}, body: '' }
  }
}

function rejectLong(embeds: readonly JsonObject[]): void {
  const lengthOf = (value: unknown) => (typeof value === 'string' ? value.length : 0)
  const total = embeds.reduce(
    (sum, { title, description }) => sum + lengthOf(title) + lengthOf(description),
    0,
  )
  const isTooLong =
    embeds.length > maxEmbeds ||
    total > maxTotal ||
    embeds.some(
      ({ title, description }) =>
        lengthOf(title) > limits.title || lengthOf(description) > limits.description,
    )
  if (isTooLong) throw new HttpError(400, 'Invalid Form Body', { code: 50_035 })
}
