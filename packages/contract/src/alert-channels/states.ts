import { tonedOptions } from '../grid/columns.ts'

/** The services that a channel sends alerts to. */
export const channelKinds = ['mail', 'slack', 'telegram', 'teams', 'discord', 'pagerduty', 'webhook'] as const
export type ChannelKind = (typeof channelKinds)[number]

/** `configuration`: from the variables of the workers, so it cannot be edited. */
export const channelOrigins = ['console', 'configuration'] as const
export type ChannelOrigin = (typeof channelOrigins)[number]

/**
 * `unused`: nothing was sent yet. `failing`: the last attempt failed and is repeated. `refusing`: the service refused a message for
 * good. `missing`: its variables are no longer set.
 */
export const channelStates = ['ok', 'unused', 'failing', 'refusing', 'missing'] as const
export type ChannelState = (typeof channelStates)[number]

export const channelStateOptions = tonedOptions({
  ok: 'green',
  unused: 'grey',
  failing: 'orange',
  refusing: 'red',
  missing: 'red',
})

/** Ends the names of channels from the configuration, and no others. */
export const configurationSuffix = '(configuration)'

/** The fields that each kind needs. `url` and `key` are secrets. */
export const channelFields = {
  mail: ['address'],
  slack: ['url'],
  telegram: ['chat', 'key'],
  teams: ['url'],
  discord: ['url'],
  pagerduty: ['key'],
  webhook: ['url', 'key'],
} as const satisfies Readonly<Record<ChannelKind, readonly ('address' | 'chat' | 'url' | 'key')[]>>

export const alertChannelsPath = '/monitoring/channels'
