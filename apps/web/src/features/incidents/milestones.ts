import type { IncidentDetails, IncidentTimelineEntry } from '@kustos/contract/incidents'

export interface Milestone {
  readonly kind: 'milestone'
  readonly at: string
  readonly milestone: 'started' | 'alerted' | 'ended'
}

/**
 * The entries of an incident's timeline with its start, alert and end, oldest first. Probes and alerts are kept for a limited time,
 * so these may be all that is left of it. The alert is one only if no alert is left.
 */
export function withMilestones(
  { started_at, alerted_at, ended_at }: Pick<IncidentDetails, 'started_at' | 'alerted_at' | 'ended_at'>,
  entries: readonly IncidentTimelineEntry[],
): readonly (IncidentTimelineEntry | Milestone)[] {
  const hasAlert = entries.some(({ kind }) => kind === 'alert')
  const times = { started: started_at, alerted: hasAlert ? null : alerted_at, ended: ended_at } as const
  const milestones = (['started', 'alerted', 'ended'] as const).flatMap((milestone): Milestone[] => {
    const at = times[milestone]
    return at === null ? [] : [{ kind: 'milestone', milestone, at }]
  })
  return [...milestones, ...entries].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}
