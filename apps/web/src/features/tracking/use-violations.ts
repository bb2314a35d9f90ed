import { type AttentionEntry, attentionRoutes } from '@kustos/contract/attention'
import { useMemo } from 'react'
import { useRoute } from '../../platform/query.ts'

export const violationsInput = {
  query: { kind: 'tracking_without_consent', state: 'any', limit: '10000' },
} as const

/** What webs request without consent, by web, whether or not somebody has acknowledged it. Undefined while loading. */
export function useViolations() {
  const query = useRoute(attentionRoutes.listAttention, violationsInput)
  const entries = query.data?.data
  const byWeb = useMemo<ReadonlyMap<number, AttentionEntry> | undefined>(
    () => entries && new Map(entries.map((entry) => [entry.subject_id, entry])),
    [entries],
  )
  return { query, byWeb }
}
