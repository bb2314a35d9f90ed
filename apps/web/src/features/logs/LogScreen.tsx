import { formatTime } from '@kustos/contract/grid'
import { type LogRow, logColumns, subjectTypes } from '@kustos/contract/logs'
import {
  IconArrowBackUp,
  IconExternalLink,
  IconFilter,
  IconHistory,
  IconListDetails,
} from '@tabler/icons-react'
import i18next from 'i18next'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { descriptionText, logNameText } from '../../entities/audit-log/description-text.ts'
import { logPath, subjectPath } from '../../entities/audit-log/paths.ts'
import { useRevert } from '../../entities/audit-log/RevertButton.tsx'
import { findReverts } from '../../entities/audit-log/reverts.ts'
import { updateSearchParams } from '../../platform/search-params.ts'
import { useUser } from '../../platform/session.ts'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import type { RowActions } from '../../ui/data-grid/types.ts'
import { EntryDrawer } from './EntryDrawer.tsx'
import { parseFilter, readQuery } from './filter-params.ts'
import { LogExportButton } from './LogExportButton.tsx'
import { LogFilters } from './LogFilters.tsx'
import { LogNote } from './LogNote.tsx'
import { useLog } from './use-log.ts'
import { countLines, logTexts, useLogCells } from './use-log-cells.tsx'
import { useOpenEntry } from './use-open-entry.ts'

const getId = (row: LogRow) => row.id
const getName = ({ created_at: at, log_name: log, description }: LogRow) =>
  `${formatTime(at)} ${logNameText(i18next.t, log)} ${descriptionText(i18next.t, description)}`

/** The audit log: the server searches and filters it, and the newest entries that match are loaded. */
export default function LogScreen() {
  const { t } = useTranslation()
  const [searchParams, setSearchParams] = useSearchParams()
  const oldSearch = searchParams.get('q')
  // Links of older releases name the search of the list.
  useEffect(() => {
    if (oldSearch === null) return
    const changes = { q: null, search: oldSearch }
    setSearchParams((params) => updateSearchParams(params, changes), { replace: true })
  }, [oldSearch, setSearchParams])
  const { filter } = parseFilter(searchParams)
  const asked = readQuery(searchParams)
  const log = useLog(asked)
  const { query, rows, hold } = log
  const openEntry = useOpenEntry(rows)
  const { entry, open } = openEntry
  const page = Number(searchParams.get('page') ?? 1)
  // On a later page or beside an open entry, new rows would move those that are being read.
  useEffect(() => {
    if (page > 1 || entry !== undefined) hold()
  }, [page, entry, hold])
  const cells = useLogCells(open)
  const rowActions = useRowActions(rows, open)
  const logNames = useMemo(() => [...new Set((rows ?? []).map((row) => row.log_name))], [rows])
  const descriptions = useMemo(() => [...new Set((rows ?? []).map((row) => row.description))], [rows])
  const isFiltered = Object.keys(filter).length > 0

  return (
    <>
      <DataGrid
        id="logs"
        title={t('screens.logs.title')}
        grid={logColumns}
        query={query}
        rows={rows}
        getRowId={getId}
        getRowName={getName}
        renderCell={cells}
        texts={logTexts}
        rowActions={rowActions}
        countLines={countLines}
        onLeaveTop={hold}
        hasSearch
        hasMoreRows={!log.isAll}
        toolbar={() => <LogExportButton query={asked} />}
        empty={{
          icon: IconHistory,
          title: t(isFiltered ? 'logs.screen.noMatch' : 'logs.screen.empty'),
          hint: t(isFiltered ? 'logs.screen.noMatchHint' : 'logs.screen.emptyHint'),
        }}
        note={
          <>
            <LogFilters users={log.users} logNames={logNames} descriptions={descriptions} />
            <LogNote log={log} query={asked} />
          </>
        }
      />
      <EntryDrawer state={openEntry} />
    </>
  )
}

function useRowActions(
  rows: readonly LogRow[] | undefined,
  open: (row: LogRow) => void,
): (row: LogRow) => RowActions {
  const { t } = useTranslation()
  const user = useUser()
  const { canRevert, revert } = useRevert()
  // Of one that the filter leaves out, the user is told on demand.
  const reverts = useMemo(() => findReverts(rows ?? []), [rows])
  return (row) => {
    const { subject_id: id, causer_id: causer } = row
    // The server cannot filter by other types.
    const type = subjectTypes.find((known) => known === row.subject_type)
    const path = subjectPath(user, row)
    return [
      { key: 'entry', label: t('logs.screen.show'), icon: IconListDetails, run: () => open(row) },
      path !== null && {
        key: 'subject',
        label: t('logs.screen.openSubject'),
        icon: IconExternalLink,
        to: path,
      },
      type !== undefined &&
        id !== null && {
          key: 'of-subject',
          label: t('logs.screen.ofSubject'),
          icon: IconFilter,
          to: logPath({ subject_type: type, subject_id: String(id) }),
        },
      causer !== null && {
        key: 'of-causer',
        label: t('logs.screen.ofCauser'),
        icon: IconFilter,
        to: logPath({ causer: String(causer) }),
      },
      canRevert(row) &&
        !reverts.has(row.id) && {
          key: 'revert',
          label: t('logs.revert.button'),
          icon: IconArrowBackUp,
          run: () => void revert(row),
        },
    ]
  }
}
