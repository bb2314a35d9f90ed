import { formatTime } from '@kustos/contract/grid'
import { type LogRow, logColumns, logQuery, logRows, logsRoutes, subjectTypes } from '@kustos/contract/logs'
import { Button, Group, Text } from '@mantine/core'
import {
  IconArrowBarToUp,
  IconExternalLink,
  IconFilter,
  IconHistory,
  IconListDetails,
} from '@tabler/icons-react'
import { useCallback, useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { logPath, subjectPath } from '../../entities/audit-log/paths.ts'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import type { RowAction } from '../../ui/data-grid/types.ts'
import { EntryDrawer } from './EntryDrawer.tsx'
import { parseFilter } from './filter-address.ts'
import { LogFilters } from './LogFilters.tsx'
import styles from './log-screen.module.css'
import { useLog } from './use-log.ts'
import { linesOf, useLogCells } from './use-log-cells.tsx'

const { listLogs } = logsRoutes

const idOf = (row: LogRow) => row.id
const nameOf = ({ created_at: at, log_name: log, description }: LogRow) =>
  `${formatTime(at)} ${log} ${description}`
const first = ['created_at', 'description', 'properties']

/** The audit log, as far as it has been loaded. */
export function LogScreen() {
  const { t } = useTranslation()
  const [address] = useSearchParams()
  const { filter } = parseFilter(address)
  const log = useLog(filter)
  const { query, rows, hold } = log
  const { opened, isMissing, asked, error, retry, isRetrying, open, close } = useOpenEntry(rows)
  const page = Number(address.get('page') ?? 1)
  // On a later page or beside an open entry, new rows would move those that are being read.
  useEffect(() => {
    if (page > 1 || opened !== undefined) hold()
  }, [page, opened, hold])
  const cells = useLogCells(open)
  const rowActions = useRowActions(open)
  const logNames = useMemo(() => [...new Set((rows ?? []).map((row) => row.log_name))], [rows])
  const isFiltered = Object.keys(filter).length > 0

  return (
    <>
      <DataGrid
        id="logs"
        title={t('screens.logs.title')}
        grid={logColumns}
        first={first}
        rows={rows}
        getRowId={idOf}
        getRowName={nameOf}
        renderCell={cells}
        rowActions={rowActions}
        linesOf={linesOf}
        onLeaveTop={hold}
        error={query.error}
        onRetry={() => void query.refetch()}
        isRetrying={query.isFetching}
        empty={{
          icon: IconHistory,
          title: t(isFiltered ? 'logs.screen.noMatch' : 'logs.screen.empty'),
          hint: t(isFiltered ? 'logs.screen.noMatchHint' : 'logs.screen.emptyHint'),
        }}
        note={
          <>
            <LogFilters users={log.users} logNames={logNames} />
            <Note log={log} />
          </>
        }
      />
      <EntryDrawer
        id={asked}
        entry={opened}
        isMissing={isMissing}
        error={error}
        onRetry={retry}
        isRetrying={isRetrying}
        onClose={close}
      />
    </>
  )
}

/** How many entries are loaded, with buttons for older and newer ones. */
function Note({ log }: { readonly log: ReturnType<typeof useLog> }) {
  const { t } = useTranslation()
  const { rows, isAll, newCount, isFollowing, follow, loadOlder, isLoadingOlder } = log
  const last = rows?.at(-1)
  const count = rows?.length ?? 0
  return (
    <Group gap="4px 12px" className={styles.note}>
      <Text inherit>
        {last === undefined
          ? ''
          : isAll
            ? t('logs.screen.all', { count })
            : t('logs.screen.back', { count, time: formatTime(last.created_at) })}
      </Text>
      {last !== undefined && !isAll && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconHistory size={14} />}
          loading={isLoadingOlder}
          onClick={() => void loadOlder()}
        >
          {t('logs.screen.older')}
        </Button>
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
            {t('logs.screen.come', { count: newCount })}
          </Button>
        )}
      </span>
    </Group>
  )
}

/** The open entry, named by the address. */
function useOpenEntry(rows: readonly LogRow[] | undefined) {
  const [address, setAddress] = useSearchParams()
  const asked = address.get('entry')
  const loaded = useMemo(() => rows?.find(({ id }) => String(id) === asked), [rows, asked])
  // It may be older than the loaded entries or hidden by the filter.
  const canBe = asked !== null && logQuery.safeParse({ id: asked }).success
  const { data, error, isFetching, refetch } = useRoute(
    listLogs,
    { query: { id: asked ?? '' } },
    { enabled: canBe && rows !== undefined && loaded === undefined, select: logRows },
  )
  const opened = loaded ?? (canBe ? data?.find(({ id }) => String(id) === asked) : undefined)
  const isMissing = asked !== null && opened === undefined && (!canBe || data !== undefined)
  const open = useCallback(
    ({ id }: LogRow) =>
      setAddress((now) => {
        now.set('entry', String(id))
        return now
      }),
    [setAddress],
  )
  const close = useCallback(
    () =>
      setAddress((now) => {
        now.delete('entry')
        return now
      }),
    [setAddress],
  )
  return {
    asked,
    opened,
    isMissing,
    error: asked === null || opened ? null : error,
    retry: () => void refetch(),
    isRetrying: isFetching,
    open,
    close,
  }
}

function useRowActions(open: (row: LogRow) => void): (row: LogRow) => readonly RowAction[] {
  const { t } = useTranslation()
  const user = useUser()
  return (row) => {
    const { subject_id: id, causer_id: causer } = row
    // The server cannot filter by other types.
    const type = subjectTypes.find((known) => known === row.subject_type)
    const path = subjectPath(user, row)
    const actions: readonly (RowAction | false)[] = [
      {
        key: 'entry',
        label: t('logs.screen.show'),
        icon: <IconListDetails size={16} />,
        run: () => open(row),
      },
      path !== null && {
        key: 'subject',
        label: t('logs.screen.openSubject'),
        icon: <IconExternalLink size={16} />,
        to: path,
      },
      type !== undefined &&
        id !== null && {
          key: 'of-subject',
          label: t('logs.screen.ofSubject'),
          icon: <IconFilter size={16} />,
          to: logPath({ subject_type: type, subject_id: String(id) }),
        },
      causer !== null && {
        key: 'of-causer',
        label: t('logs.screen.ofCauser'),
        icon: <IconFilter size={16} />,
        to: logPath({ causer: String(causer) }),
      },
    ]
    return actions.filter((action) => action !== false)
  }
}
