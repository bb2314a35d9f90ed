import { formatTime } from '@kustos/contract/grid'
import { logSearchRoutes } from '@kustos/contract/logs'
import { Button, Group, Text } from '@mantine/core'
import { IconArrowBarToUp, IconHistory } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { LogQuery } from '../../entities/audit-log/paths.ts'
import { useRoute } from '../../platform/query.ts'
import { useUpdatableSearchParams } from '../../platform/search-params.ts'
import styles from './log-screen.module.css'
import type { useLog } from './use-log.ts'

interface Props {
  readonly log: ReturnType<typeof useLog>
  readonly query: LogQuery
}

/** How many entries there are and how many of them are loaded, with buttons for older, newer and hidden ones. */
export function LogNote({ log, query }: Props) {
  const { t } = useTranslation()
  const { rows, isAll, newCount, isFollowing, follow, loadOlder, isLoadingOlder } = log
  const last = rows?.at(-1)
  return (
    <Group gap="4px 12px" className={styles.note}>
      <Counts query={query} loaded={isAll ? rows?.length : undefined} listedAt={log.query.dataUpdatedAt} />
      {last !== undefined && !isAll && (
        <>
          <Text inherit>
            {t('logs.screen.loaded', { count: rows?.length ?? 0, time: formatTime(last.created_at) })}
          </Text>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconHistory size={14} />}
            loading={isLoadingOlder}
            onClick={() => void loadOlder()}
          >
            {t('logs.screen.older')}
          </Button>
        </>
      )}
      {/* There from the start, so that it is read out when something comes. */}
      <span role="status">
        {!isFollowing && newCount > 0 && (
          <Button
            size="compact-sm"
            variant="light"
            leftSection={<IconArrowBarToUp size={14} />}
            onClick={follow}
          >
            {t('logs.screen.newEntries', { count: newCount })}
          </Button>
        )}
      </span>
    </Group>
  )
}

interface CountProps {
  readonly query: LogQuery
  /** The number of entries if all are loaded. */
  readonly loaded: number | undefined
  /** When the list was loaded last. */
  readonly listedAt: number
}

/** Counted by the server, up to a limit. */
function Counts({ query, loaded, listedAt }: CountProps) {
  const { t } = useTranslation()
  const [searchParams, update] = useUpdatableSearchParams()
  const { data: counted, refetch } = useRoute(
    logSearchRoutes.countLogs,
    { query },
    { placeholderData: keepPreviousData },
  )
  // New entries come with the list.
  useEffect(() => {
    if (listedAt > 0) void refetch({ cancelRefetch: false })
  }, [listedAt, refetch])
  const showsSignIns = searchParams.get('sign_ins') === '1'
  if (counted === undefined) return null
  const { limit, sign_ins: hidden } = counted
  const entries = loaded ?? counted.entries
  const hiddenText =
    hidden === null
      ? t('logs.screen.manySignIns', { count: limit })
      : t('logs.screen.signIns', { count: hidden })
  return (
    <>
      <Text inherit>
        {entries === null
          ? t('logs.screen.many', { count: limit })
          : t('logs.screen.all', { count: entries })}
      </Text>
      {(showsSignIns || hidden !== 0) && (
        <span>
          {!showsSignIns && `${hiddenText} `}
          <button
            type="button"
            className={styles.more}
            onClick={() => update({ sign_ins: showsSignIns ? null : '1', page: null, entry: null })}
          >
            {t(showsSignIns ? 'logs.screen.hideSignIns' : 'logs.screen.showSignIns')}
          </button>
        </span>
      )}
    </>
  )
}
