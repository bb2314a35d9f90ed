import { HttpError, type Reply, readJsonObject, type ServiceRequest, textReply } from '../http-service.ts'
import type { MessageStore } from './store.ts'

const [team, hook, secret] = ['T0KUSTOS', 'B0SANDBOX', 'gr8tMessagesOfTheSandbox']

export const slackPath = `/services/${team}/${hook}/${secret}`

export const slackErrors: Readonly<Record<number, string>> = { 429: 'rate_limited', 503: 'service_error' }

/** https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks: longer texts are cut. */
const maxTextLength = 40_000
const maxAttachments = 100

/** Receives a message to an incoming webhook. @throws HttpError with Slack's error codes */
export async function receiveSlack(
  { params, incoming }: ServiceRequest,
  store: MessageStore,
): Promise<Reply> {
  if (params.team !== team) throw new HttpError(404, 'no_team')
  if (params.hook !== hook) throw new HttpError(404, 'no_service')
  if (params.secret !== secret) throw new HttpError(403, 'invalid_token')
  const payload = await readJsonObject(incoming)
  if (payload === null) throw new HttpError(400, 'invalid_payload')
  const { text, attachments } = payload
  if (Array.isArray(attachments) && attachments.length > maxAttachments)
    throw new HttpError(400, 'too_many_attachments')
  if (typeof text !== 'string' || text.trim() === '') throw new HttpError(400, 'no_text')
  store.add({
    channel: 'slack',
    recipient: '#kustos',
    subject: null,
    text: renderText(text.slice(0, maxTextLength)),
  })
  return textReply('ok')
}

/** As Slack shows it: links by their labels, and its three entities decoded. */
const renderText = (text: string): string =>
  text
    .replace(/<(https?:[^|>]+)\|([^>]*)>/g, '$2 ($1)')
    .replace(/<(https?:[^>]+)>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
