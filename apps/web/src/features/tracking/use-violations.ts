import { type AttentionEntry, attentionRoutes, attentionStates } from '@kustos/contract/attention'
import { useMemo } from 'react'
import { useRoute } from '../../platform/query.ts'

const { listAttention } = attentionRoutes
const [open, acknowledged, snoozed] = attentionStates

const useEntries = (state: (typeof attentionStates)[number]) =>
  useRoute(listAttention, { query: { kind: 'tracking_without_consent', state, limit: '10000' } }).data?.data

/** What webs request before consent, by web, whether or not somebody has acknowledged it. Undefined while loading. */
export function useViolations(): ReadonlyMap<number, AttentionEntry> | undefined {
  const unhandled = useEntries(open)
  const accepted = useEntries(acknowledged)
  const hidden = useEntries(snoozed)
  return useMemo(() => {
    if (unhandled === undefined || accepted === undefined || hidden === undefined) return undefined
    return new Map([...unhandled, ...accepted, ...hidden].map((entry) => [entry.subject_id, entry]))
  }, [unhandled, accepted, hidden])
}
