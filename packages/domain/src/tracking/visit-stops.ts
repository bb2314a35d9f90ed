import type { VisitedStop } from '@kustos/clients/browser'
import { type Message, message } from '@kustos/contract/messages'
import type { CoveredStop } from '@kustos/contract/tracking'
import { storedMessage } from '../platform/stored-message.ts'

export const toCoveredStop = ({ stop, problem }: VisitedStop): CoveredStop => ({
  ...stop,
  ...storedMessage('problem', problem),
})

/**
 * Why trackers of further pages and for other visitors may be missing from what a visit saw. A page that does not exist has none.
 * What is wrong with the first page is told apart.
 */
export function problemsOfStops(stops: readonly VisitedStop[]): readonly Message[] {
  return stops.slice(1).flatMap(({ stop: { path }, problem }) => {
    if (problem === null || problem.code === 'redirect_elsewhere') return []
    if (problem.code === 'visit_answered' && [404, 410].includes(Number(problem.params.status))) return []
    return [message('browser_stop_unread', { path, reason: problem })]
  })
}
