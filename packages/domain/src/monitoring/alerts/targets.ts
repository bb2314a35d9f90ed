import type { ReportingChannel } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import { alertChannels, type alerts } from '@kustos/database/tables'
import type { ComposedAlert } from './message-parts.ts'
import type { AlertSettings } from './tools.ts'

/** Where the outbox sends an alert. */
export type AlertTarget = Pick<typeof alerts.$inferSelect, 'channel' | 'recipient' | 'channel_id'>

/** Names a channel that users have added. */
export const channelTarget = (id: number): AlertTarget => ({
  channel: 'channel',
  recipient: null,
  channel_id: id,
})

export const keyOfTarget = ({ channel, recipient, channel_id }: AlertTarget): string =>
  [channel, channel_id ?? '', recipient?.toLowerCase() ?? ''].join(' ')

/**
 * Returns a function for who gets a message: the channels of its webs, those that it names by id, and by mail users and the subscribers.
 * A channel of webs is the one that users have chosen for it, otherwise that of the configuration.
 * @param subscribed mail addresses of users
 */
export async function readTargets(
  db: Transaction,
  settings: AlertSettings,
  subscribed: readonly string[],
): Promise<
  (message: Pick<ComposedAlert, 'channels' | 'to' | 'mails' | 'isRoutedOnly'>) => readonly AlertTarget[]
> {
  const rows = await db
    .select({
      id: alertChannels.id,
      kind: alertChannels.kind,
      origin: alertChannels.origin,
      default_for: alertChannels.default_for,
    })
    .from(alertChannels)
  const configured = configuredTargets(settings)
  const ofWebs = (channel: ReportingChannel) => {
    const chosen = rows.find((row) => row.default_for === channel)
    return chosen === undefined ? configured(channel) : [channelTarget(chosen.id)]
  }
  const byId = new Map(
    rows.map(({ id, kind, origin }) => [
      id,
      origin === 'configuration' ? configured(kind as ReportingChannel) : [channelTarget(id)],
    ]),
  )
  const toMailboxes = (addresses: readonly string[]) =>
    settings.channels.mail === null ? [] : addresses.map(mailTo)
  return ({ channels, to = [], mails = [], isRoutedOnly = false }) => {
    const all = [
      ...(['slack', 'telegram', 'mail'] as const)
        .filter((channel) => channels.includes(channel))
        .flatMap(ofWebs),
      ...to.flatMap((id) => byId.get(id) ?? []),
      ...toMailboxes(isRoutedOnly ? mails : [...mails, ...subscribed]),
    ]
    // The same address in another case is the same mailbox, everywhere but in the standard.
    return [...new Map(all.map((target) => [keyOfTarget(target), target])).values()]
  }
}

/** What the channels of the configuration lead to; nowhere if they are not configured. */
const configuredTargets =
  ({ channels, mailTo: addresses }: AlertSettings) =>
  (channel: ReportingChannel): readonly AlertTarget[] => {
    if (channels[channel] === null) return []
    return channel === 'mail' ? addresses.map(mailTo) : [{ channel, recipient: null, channel_id: null }]
  }

const mailTo = (recipient: string): AlertTarget => ({ channel: 'mail', recipient, channel_id: null })
