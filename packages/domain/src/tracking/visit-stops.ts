import type { VisitedStop } from '@kustos/clients/browser'
import { type Message, type MessageParams, message } from '@kustos/contract/messages'
import type { ConsentPhase, CoveredStop, TrackingVisit } from '@kustos/contract/tracking'
import { storedMessage } from '../platform/stored-message.ts'

export const toCoveredStop = ({ stop, problem }: VisitedStop): CoveredStop => ({
  ...stop,
  ...storedMessage('problem', problem),
})

/**
 * Why trackers of further pages and for other visitors may be missing from what a visit saw. What is wrong with the first page is
 * reported separately.
 */
export const problemsOfStops = (stops: readonly VisitedStop[]): readonly Message[] =>
  stops
    .slice(1)
    .flatMap(({ stop: { path, visitor }, problem }) =>
      problem !== null && mayHideTrackers(problem)
        ? [message(unreadBy[visitor], { path, reason: problem })]
        : [],
    )

const unreadBy = {
  desktop: 'browser_stop_unread',
  english_mobile: 'browser_mobile_unread',
  privacy_signals: 'browser_signals_unread',
} as const

/** The phases of which a visit saw all, on each of its pages and as each visitor: what they do not show is gone. */
export const fullySeenPhases = ({ collected = [], stops = [] }: TrackingVisit): readonly ConsentPhase[] => {
  const isUnread = stops
    .slice(1)
    .some(
      ({ problem_code: code, problem_params: params }) => code !== null && mayHideTrackers({ code, params }),
    )
  return isUnread ? collected.filter((phase) => phase !== 'before') : collected
}

/** A page that does not exist has no trackers, and one that leads to another site none of this one. */
const mayHideTrackers = ({
  code,
  params,
}: {
  readonly code: string
  readonly params?: MessageParams | null
}) =>
  code !== 'redirect_elsewhere' && !(code === 'visit_answered' && [404, 410].includes(Number(params?.status)))
