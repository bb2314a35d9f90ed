import { type LogEntry, type LogList, logLimit, logRows, logsRoutes } from '@kustos/contract/logs'
import { keepPreviousData } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LogQuery } from '../../entities/audit-log/paths.ts'
import { call } from '../../platform/client.ts'
import { useRoute } from '../../platform/query.ts'
import { notifyFailed } from '../../ui/notify.tsx'
import { findNewEntries } from './find-new-entries.ts'

const { listLogs } = logsRoutes

/** Entries that are loaded first, and again whenever there are new ones. Older ones are loaded on request, more at a time. */
const firstEntries = 200

/** The entries that were loaded for one filter. */
interface Held {
  readonly filter: string
  /** Newest first, without a gap. */
  readonly kept: readonly LogEntry[]
  /** Whether new entries are shown at once. */
  readonly isFollowing: boolean
  /** Whether the oldest entry is loaded. */
  readonly isAll: boolean
}

const mergeUsers = (known: LogList['users'], more: LogList['users']): LogList['users'] =>
  [...new Map([...known, ...more].map((user) => [user.id, user])).values()].sort((a, b) => a.id - b.id)

/**
 * The log from its newest entry on, as far as it was loaded. It shows new entries at once until `hold` is called. Then it
 * only counts them.
 */
export function useLog(filter: LogQuery) {
  const { t } = useTranslation()
  const key = JSON.stringify(filter)
  const none: Held = { filter: key, kept: [], isFollowing: true, isAll: false }
  const [latest, setHeld] = useState(none)
  const held = latest.filter === key ? latest : none
  const [isLoadingOlder, setLoadingOlder] = useState(false)
  // The entries of the filter before stay while those of this one are loaded.
  const query = useRoute(
    listLogs,
    { query: { ...filter, limit: String(firstEntries) } },
    { placeholderData: keepPreviousData },
  )

  const { data, isPlaceholderData } = query
  const { kept, isFollowing } = held
  const { fresh, isGap } = useMemo(() => findNewEntries(data?.data ?? [], kept), [data, kept])
  const entries = useMemo(() => {
    if (data === undefined) return undefined
    if (isGap) return isFollowing ? data.data : kept
    return isFollowing ? [...fresh, ...kept] : kept
  }, [data, fresh, isGap, isFollowing, kept])
  // Each page names the causers of its own entries.
  const [seenUsers, setSeenUsers] = useState<LogList['users']>([])
  const users = useMemo(() => data && mergeUsers(seenUsers, data.users), [seenUsers, data])
  if (users !== undefined && users.length > seenUsers.length) setSeenUsers(users)
  const rows = useMemo(() => entries && users && logRows({ data: [...entries], users }), [entries, users])
  const isAll = held.isAll || (kept.length === 0 && (data?.data.length ?? 0) < firstEntries)

  const hold = useCallback(() => {
    if (isFollowing && !isPlaceholderData && entries !== undefined && entries.length > 0)
      setHeld({ filter: key, kept: entries, isFollowing: false, isAll })
  }, [isFollowing, isPlaceholderData, entries, key, isAll])

  function follow() {
    setHeld(isGap ? none : { ...held, isFollowing: true })
  }

  async function loadOlder() {
    const last = entries?.at(-1)
    if (isPlaceholderData || entries === undefined || last === undefined) return
    setLoadingOlder(true)
    try {
      const older = await call(listLogs, { query: { ...filter, before: String(last.id) } })
      setSeenUsers((seen) => mergeUsers(seen, older.users))
      setHeld({
        ...held,
        kept: [...entries, ...older.data],
        isAll: older.data.length < logLimit.default,
      })
    } catch (error) {
      notifyFailed(t('logs.screen.older'), error)
    } finally {
      setLoadingOlder(false)
    }
  }

  return {
    query,
    rows,
    users,
    isAll,
    isFollowing,
    /** The number of new entries that are not shown; at most a page. */
    newCount: isFollowing ? 0 : fresh.length,
    hold,
    follow,
    loadOlder,
    isLoadingOlder,
  }
}
