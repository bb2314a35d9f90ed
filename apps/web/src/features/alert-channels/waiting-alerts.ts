import type { AlertChannel } from '@kustos/contract/alert-channels'

type Channel = Pick<AlertChannel, 'id' | 'fallback'>

/** The text about the alerts that wait for a channel that is to be deleted. @param all channels */
export const textOfWaiting = (channel: Channel, all: readonly Channel[]) =>
  all.some(({ id, fallback }) => fallback && id !== channel.id)
    ? 'alertChannels.deleteWaiting'
    : 'alertChannels.deleteLost'
