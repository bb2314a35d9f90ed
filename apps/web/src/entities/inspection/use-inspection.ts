import { type Inspection, inspectionRoutes } from '@kustos/contract/inspections'
import { trackingRoutes } from '@kustos/contract/tracking'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { keyOf, useRoute } from '../../platform/query.ts'

export const isUnderWay = ({ state }: Inspection): boolean => state === 'waiting' || state === 'running'

/** Fallback for missed events. */
const pollIntervalMs = 5_000

/** Follows an inspection. @param id as in the URL */
export function useInspection(id: string | null): {
  readonly inspection: Inspection | undefined
  /** Also until its state is known: nobody is to request it again in between. */
  readonly isUnderWay: boolean
} {
  const client = useQueryClient()
  const known = id !== null && /^[1-9]\d{0,9}$/.test(id) ? Number(id) : null
  const { data: inspection, isLoading } = useRoute(
    inspectionRoutes.readInspection,
    { params: { id: known ?? 0 } },
    {
      enabled: known !== null,
      refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? pollIntervalMs : false),
    },
  )
  const ended = inspection?.ended_at
  useEffect(() => {
    if (!ended) return
    for (const stale of [trackingRoutes.listTrackingAudits, inspectionRoutes.listWebFacts])
      void client.invalidateQueries({ queryKey: keyOf(stale) })
  }, [ended, client])
  return { inspection, isUnderWay: isLoading || (inspection !== undefined && isUnderWay(inspection)) }
}
