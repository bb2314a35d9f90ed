import { z } from 'zod'
import { assertAccepted } from '../delivery/assert-accepted.ts'
import { createDeliveryClient, type DeliveryGuard } from '../delivery/create-delivery-client.ts'
import type { ChannelMessage, ChatChannel, Severity } from '../delivery/delivery.ts'
import { toOneLine, truncateToLimit } from '../delivery/message-text.ts'
import type { HttpResponse } from '../http/http-client.ts'
import { parseJsonAs } from '../http/json-api.ts'

export interface DiscordSettings {
  /** The webhook of a channel. Anyone who knows it can post, so no error contains it. */
  readonly url: string
  readonly guard?: DeliveryGuard
  readonly timeoutMs?: number
}

/** https://docs.discord.com/developers/resources/message#embed-object-embed-limits */
const maxTitleLength = 256
const maxTextLength = 4_096

/** Opens a channel of Discord that is posted to by a webhook. */
export function openDiscord({ url, guard, timeoutMs = 10_000 }: DiscordSettings): ChatChannel {
  const http = createDeliveryClient('Discord', timeoutMs, guard)
  return {
    async send(message, signal) {
      const body = {
        username: 'Kustos',
        embeds: [embedOf(message)],
        // Nobody is mentioned, whatever a name contains.
        allowed_mentions: { parse: [] },
      }
      assertAccepted(await http.request({ url: new URL(url), body, signal }), {
        service: 'Discord',
        setting: 'the URL of the webhook',
        isAccepted: (status) => status === 204 || status === 200,
        // 401 and 404 are those of a deleted webhook, which Discord never brings back.
        isPermanent: (status) => status === 400 || status === 401 || status === 403 || status === 404,
        explain,
        secrets: [url],
      })
    },
    close: http.close,
  }
}

/** https://docs.discord.com/developers/topics/rate-limits: seconds, with fractions. */
const refusal = z.object({ message: z.string().optional(), retry_after: z.number().min(0).optional() })

function explain({ body, retryAfterMs }: HttpResponse) {
  const { message, retry_after } = parseJsonAs(refusal, body) ?? {}
  return {
    words: message,
    retryAfterMs: retry_after === undefined ? retryAfterMs : Math.ceil(retry_after * 1000),
  }
}

const colors: Readonly<Record<Severity, number>> = { critical: 0xe03131, warning: 0xf08c00, info: 0x2f9e44 }

function embedOf({ title, lines, url, event }: ChannelMessage): object {
  const text = truncateToLimit(lines, maxTextLength, (line) => escapeMarkdown(line).length)
  return {
    title: toOneLine(escapeMarkdown(title), maxTitleLength),
    description: text.map(escapeMarkdown).join('\n'),
    ...(url !== undefined && { url }),
    ...(event && { color: colors[event.severity] }),
  }
}

const escapeMarkdown = (text: string): string => text.replace(/[\\*_~`|>#[\]()<@-]/g, '\\$&')
