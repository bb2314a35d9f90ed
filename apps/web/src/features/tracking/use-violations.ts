import { attentionRoutes } from '@kustos/contract/attention'
import { useMemo } from 'react'
import { useRoute } from '../../platform/query.ts'
import { violationsByWeb } from './tracking-grid.ts'

export const violationsInput = {
  query: { kind: 'tracking_without_consent', state: 'any', limit: '10000' },
} as const

/** What webs request without consent, by web, whether or not somebody has acknowledged it. Undefined while loading. */
export function useViolations() {
  const query = useRoute(attentionRoutes.listAttention, violationsInput)
  const entries = query.data?.data
  const byWeb = useMemo(() => entries && violationsByWeb(entries), [entries])
  return { query, byWeb }
}
