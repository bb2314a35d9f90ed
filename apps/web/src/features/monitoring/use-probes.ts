import { monitoringRoutes, type Statistic } from '@kustos/contract/monitoring'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../app/client.ts'
import { useRoute } from '../../app/query.ts'
import { notifyFailed } from '../../ui/notify.tsx'

const { listStatistics } = monitoringRoutes

/** What does not move while somebody reads: from when on, and what was asked for beyond the first page. */
interface Held {
  /** In milliseconds. */
  readonly since: number
  readonly older: readonly Statistic[]
  /** Whether nothing older is left. */
  readonly isAll: boolean
}

/**
 * The newest probes, of one web or of all. They follow what happens until they are held; older ones are only had while
 * they are, since what is older depends on where the list ends.
 */
export function useProbes(web: string | undefined) {
  const { t } = useTranslation()
  const [held, setHeld] = useState<Held | null>(null)
  const [isLoadingOlder, setLoadingOlder] = useState(false)
  const of = web === undefined ? {} : { web }
  const query = useRoute(listStatistics, { query: of }, { enabled: held === null })

  const newest = query.data?.data
  const rows = useMemo(
    () => (held === null || newest === undefined ? newest : [...newest, ...held.older]),
    [newest, held],
  )
  const hold = useCallback(() => setHeld((now) => now ?? { since: Date.now(), older: [], isAll: false }), [])
  const follow = useCallback(() => setHeld(null), [])

  async function loadOlder() {
    const last = rows?.at(-1)
    if (last === undefined) return
    hold()
    setLoadingOlder(true)
    try {
      const { data } = await call(listStatistics, { query: { ...of, before: last.created_at } })
      setHeld((now) => now && { ...now, older: [...now.older, ...data], isAll: data.length === 0 })
    } catch (error) {
      notifyFailed(t('monitoring.events.older'), error)
    } finally {
      setLoadingOlder(false)
    }
  }

  return { query, rows, held, hold, follow, loadOlder, isLoadingOlder }
}
