import type { IncomingMessage } from 'node:http'
import { jsonObject, readBody } from './body.ts'
import { Refused } from './refused.ts'
import type { MessageStore } from './store.ts'

const [team, hook, secret] = ['T0KUSTOS', 'B0SANDBOX', 'gr8tMessagesOfTheSandbox']

/** Of the incoming webhook that there is. */
export const slackPath = `/services/${team}/${hook}/${secret}`

/** What its messages come to. */
const channel = '#kustos'

/** https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks: what is longer is cut. */
const longest = 40_000
const mostAttachments = 100

/**
 * Takes what is posted to an incoming webhook.
 * @returns the answer's text
 * @throws Refused with Slack's errors, which are plain text
 */
export async function receiveSlack(
  path: string,
  request: IncomingMessage,
  store: MessageStore,
): Promise<string> {
  const [, , givenTeam, givenHook, givenSecret] = path.split('/')
  if (givenTeam !== team) throw new Refused(404, 'no_team')
  if (givenHook !== hook) throw new Refused(404, 'no_service')
  if (givenSecret !== secret) throw new Refused(403, 'invalid_token')
  if (request.method !== 'POST') throw new Refused(400, 'invalid_payload')
  const body = await readBody(request)
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  const payload = jsonObject(isForm ? (new URLSearchParams(body).get('payload') ?? '') : body)
  if (payload === null) throw new Refused(400, 'invalid_payload')
  const { text, blocks, attachments } = payload
  if (Array.isArray(attachments) && attachments.length > mostAttachments)
    throw new Refused(400, 'too_many_attachments')
  if (typeof text !== 'string' || text.trim() === '') {
    const hasMore = [blocks, attachments].some((list) => Array.isArray(list) && list.length > 0)
    if (!hasMore) throw new Refused(400, 'no_text')
  }
  const said = typeof text === 'string' && text !== '' ? text : JSON.stringify(blocks ?? attachments)
  store.add({ channel: 'slack', recipient: channel, subject: null, text: shown(said.slice(0, longest)) })
  return 'ok'
}

/** As Slack shows it: links by their label, and its three entities. */
const shown = (text: string): string =>
  text
    .replace(/<(https?:[^|>]+)\|([^>]*)>/g, '$2 ($1)')
    .replace(/<(https?:[^>]+)>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
