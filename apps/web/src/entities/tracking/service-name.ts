import type { TrackingTopic } from '@kustos/contract/tracking'
import i18next from 'i18next'

/** Names what is a tracker's topic; names and hosts of other services stay as they are. */
export const serviceName = (service: string): string =>
  i18next.t(`tracking.topics.${service as TrackingTopic}`, { defaultValue: service })

/** The name of what a page has requested. */
export const requestedName = ({
  topic,
  entity,
  host,
}: {
  readonly topic: TrackingTopic | null
  readonly entity?: string | undefined
  readonly host: string
}): string => (topic === null ? (entity ?? host) : serviceName(topic))
