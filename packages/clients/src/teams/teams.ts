import { z } from 'zod'
import { assertAccepted } from '../delivery/assert-accepted.ts'
import { createDeliveryClient, type DeliveryGuard } from '../delivery/create-delivery-client.ts'
import type { ChannelMessage, ChatChannel, Severity } from '../delivery/delivery.ts'
import { toOneLine, truncateToLimit } from '../delivery/message-text.ts'
import { parseJsonAs } from '../http/json-api.ts'

export interface TeamsSettings {
  /**
   * The URL of a workflow that posts to a channel when it receives a webhook request. Anyone who knows it can post, so no error
   * contains it.
   */
  readonly url: string
  readonly guard?: DeliveryGuard
  readonly timeoutMs?: number
}

/**
 * Messages have at most 28 KB, https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook;
 * a character may take several bytes, and the card adds to each line.
 */
const maxTextLength = 6_000

/** Opens a channel of Microsoft Teams that a workflow of Power Automate posts to. */
export function openTeams({ url, guard, timeoutMs = 10_000 }: TeamsSettings): ChatChannel {
  const http = createDeliveryClient('Teams', timeoutMs, guard)
  return {
    async send(message, signal) {
      assertAccepted(await http.request({ url: new URL(url), body: messageOf(message), signal }), {
        service: 'Teams',
        setting: 'the URL of the workflow',
        isAccepted: (status) => status === 202 || status === 200,
        // A workflow that was turned off or whose URL was renewed answers so until somebody mends it.
        isPermanent: (status) => status === 400 || status === 404 || status === 410 || status === 413,
        explain: ({ body }) => ({ words: parseJsonAs(refusal, body)?.error.message }),
        secrets: [url],
      })
    },
    close: http.close,
  }
}

/** https://learn.microsoft.com/azure/logic-apps/logic-apps-workflow-actions-triggers */
const refusal = z.object({ error: z.object({ message: z.string() }) })

const colors: Readonly<Record<Severity, string>> = { critical: 'attention', warning: 'warning', info: 'good' }

/** An Adaptive Card, https://adaptivecards.io/explorer; Teams shows those up to version 1.5. */
function messageOf({ title, lines, url, event }: ChannelMessage): object {
  const text = (content: string, more: object = {}) => ({
    type: 'TextBlock',
    text: escapeMarkdown(content),
    wrap: true,
    ...more,
  })
  const heading = { weight: 'bolder', size: 'medium', ...(event && { color: colors[event.severity] }) }
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            text(toOneLine(title), heading),
            ...truncateToLimit(lines, maxTextLength, (line) => escapeMarkdown(line).length).map((line) =>
              text(line, { spacing: 'small' }),
            ),
          ],
          ...(url !== undefined && { actions: [{ type: 'Action.OpenUrl', title: 'Open in Kustos', url }] }),
          msteams: { width: 'full' },
        },
      },
    ],
  }
}

/** What cards read as Markdown: links, lists, emphasis. Of a number that begins a list, only the full stop can be escaped. */
const escapeMarkdown = (text: string): string => text.replace(/[\\[\]*_`#>~|]|^[-+]|(?<=^\d+)\./g, '\\$&')
