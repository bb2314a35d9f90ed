import { type ChannelMessage, DeliveryError } from '@kustos/clients/delivery'
import type { PagerDuty } from '@kustos/clients/pagerduty'
import type { ChannelKind } from '@kustos/contract/alert-channels'
import type { ReportingChannel } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import { findChannel } from '../../alert-channels/index.ts'
import type { AlertTarget } from './targets.ts'
import type { DeliveryTools } from './tools.ts'

/** What an alert is sent to now. */
export type Sender = {
  /** Of the service. */
  readonly service: ChannelKind
  /** For texts about it. */
  readonly name: string
} & (
  | {
      readonly kind: 'messages'
      /** @throws {DeliveryError} if it was not accepted; the signal's reason if it is aborted */
      send(message: ChannelMessage, signal: AbortSignal): Promise<void>
    }
  | { readonly kind: 'incidents'; readonly pagerDuty: PagerDuty; readonly id: number }
)

/** @throws {DeliveryError} if the target does not exist any more or cannot be used */
export async function findSender(
  db: Transaction,
  tools: Pick<DeliveryTools, 'channels' | 'stored'>,
  target: AlertTarget,
): Promise<Sender> {
  if (target.channel !== 'channel') return configuredSender(tools.channels, target)
  const found = await findChannel(db, target)
  if (found === undefined) throw new DeliveryError('This channel was deleted.', { isPermanent: true })
  const { id, name, kind: service } = found.channel
  const open = await tools.stored.open(found.channel)
  return open.kind === 'incidents'
    ? { kind: 'incidents', service, name, pagerDuty: open, id }
    : { kind: 'messages', service, name, send: open.send }
}

const names: Readonly<Record<ReportingChannel, string>> = {
  slack: 'Slack',
  telegram: 'Telegram',
  mail: 'Mail',
}

function configuredSender(
  { slack, telegram, mail }: DeliveryTools['channels'],
  { channel: stored, recipient }: AlertTarget,
): Sender {
  // A check constraint allows the contract's channels only.
  const channel = stored as ReportingChannel
  const name = names[channel]
  const missing = (): never => {
    throw new DeliveryError(`The channel ${channel} is no longer configured.`, { isPermanent: true })
  }
  const send: Readonly<
    Record<ReportingChannel, (message: ChannelMessage, signal: AbortSignal) => Promise<void>>
  > = {
    slack: (message, signal) => slack?.send(message, signal) ?? missing(),
    telegram: (message, signal) => telegram?.send(message, signal) ?? missing(),
    mail: ({ id, ...message }, signal) =>
      mail?.send({ to: recipient ?? '', message, id }, signal) ?? missing(),
  }
  return {
    kind: 'messages',
    service: channel,
    name: recipient === null ? name : `${name} to ${recipient}`,
    send: send[channel],
  }
}
