import { type ChannelMessage, DeliveryError } from '@kustos/clients/delivery'
import { openDiscord } from '@kustos/clients/discord'
import type { Mail } from '@kustos/clients/mail'
import { openPagerDuty, type PagerDuty } from '@kustos/clients/pagerduty'
import { openSlack } from '@kustos/clients/slack'
import { openTeams } from '@kustos/clients/teams'
import { openTelegram } from '@kustos/clients/telegram'
import { openWebhook } from '@kustos/clients/webhook'
import type { alertChannels } from '@kustos/database/tables'
import type { SecretBox } from '../platform/secret-box.ts'
import { openSecrets } from './secrets.ts'

export type StoredChannel = typeof alertChannels.$inferSelect

interface MessageChannel {
  readonly kind: 'messages'
  /** @throws {DeliveryError} if it was not accepted; the signal's reason if it is aborted */
  send(message: ChannelMessage, signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}
/** PagerDuty is sent what has changed of each incident instead of messages. */
interface IncidentChannel extends PagerDuty {
  readonly kind: 'incidents'
}
export type OpenChannel = MessageChannel | IncidentChannel

export interface ChannelServices {
  /** Null if no key for secrets is configured. */
  readonly secretBox: SecretBox | null
  /** Null if no mail server is configured. */
  readonly mail: Mail | null
  /** Base addresses of the services' APIs. */
  readonly telegramUrl: string
  readonly pagerDutyUrl: string
  /** How addresses that users enter are connected to. */
  readonly guard: NonNullable<Parameters<typeof openWebhook>[0]['guard']>
  readonly timeoutMs?: number
}

export type StoredChannels = ReturnType<typeof openStoredChannels>

/** By then, nothing is being sent to the earlier version of a channel any more. */
const replacedForMs = 5 * 60_000

/** Opens channels as they are stored, each once for every version of its row. */
export function openStoredChannels(services: ChannelServices) {
  const open = new Map<number, { readonly version: number; readonly channel: OpenChannel }>()
  const replaced = new Set<OpenChannel>()
  const closeLater = (channel: OpenChannel) => {
    replaced.add(channel)
    setTimeout(() => {
      if (replaced.delete(channel)) void channel.close()
    }, replacedForMs).unref()
  }
  return {
    /** @throws {DeliveryError} if it cannot be used */
    async open(row: StoredChannel): Promise<OpenChannel> {
      const version = row.updated_at.getTime()
      const known = open.get(row.id)
      if (known?.version === version) return known.channel
      const channel = openChannel(services, row)
      open.set(row.id, { version, channel })
      // Closing it at once would end a message that is being sent, which the service may have accepted already.
      if (known !== undefined) closeLater(known.channel)
      return channel
    },
    async close(): Promise<void> {
      const all = [...[...open.values()].map(({ channel }) => channel), ...replaced]
      replaced.clear()
      await Promise.all(all.map((channel) => channel.close()))
    },
  }
}

function openChannel(services: ChannelServices, row: StoredChannel): OpenChannel {
  const secrets = openSecrets(services.secretBox, row)
  if (secrets === null)
    throw new DeliveryError(
      `The secrets of ${row.name} can’t be read, since SECRETS_KEY has changed. Enter them again.`,
    )
  const { guard, timeoutMs = 10_000 } = services
  const { url = '', key = '' } = secrets
  const settings = { guard, timeoutMs }
  switch (row.kind) {
    case 'mail':
      return openMailChannel(services.mail, row)
    case 'slack':
      return { kind: 'messages', ...openSlack({ ...settings, url, setting: 'the URL of the webhook' }) }
    case 'telegram':
      return {
        kind: 'messages',
        ...openTelegram({
          timeoutMs,
          url: services.telegramUrl,
          token: key,
          chat: row.settings.chat ?? '',
          settings: { token: 'the token', chat: 'the chat' },
        }),
      }
    case 'teams':
      return { kind: 'messages', ...openTeams({ ...settings, url }) }
    case 'discord':
      return { kind: 'messages', ...openDiscord({ ...settings, url }) }
    case 'pagerduty':
      return { kind: 'incidents', ...openPagerDuty({ timeoutMs, url: services.pagerDutyUrl, key }) }
    case 'webhook':
      return { kind: 'messages', ...openWebhook({ ...settings, url, key }) }
  }
}

const openMailChannel = (
  mail: Mail | null,
  { settings: { address = '' } }: StoredChannel,
): MessageChannel => ({
  kind: 'messages',
  async send({ id, ...message }, signal) {
    if (mail === null)
      throw new DeliveryError('No mail server is configured. Set SMTP_URL.', { isPermanent: true })
    await mail.send({ to: address, message, id }, signal)
  },
  close: () => Promise.resolve(),
})
