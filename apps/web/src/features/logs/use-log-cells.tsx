import type { FieldChange, LogRow } from '@kustos/contract/logs'
import i18next from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ChangeLines, countChangeLines } from '../../entities/audit-log/ChangeLines.tsx'
import {
  descriptionText,
  logNameText,
  subjectNameText,
  subjectTypeText,
} from '../../entities/audit-log/description-text.ts'
import { changesIn } from '../../entities/audit-log/format-value.ts'
import { subjectPath } from '../../entities/audit-log/paths.ts'
import { useValueLabels, withNames } from '../../entities/audit-log/use-value-labels.ts'
import { useUser } from '../../platform/session.ts'
import { GridLink } from '../../ui/data-grid/GridLink.tsx'
import type { Cells, Texts } from '../../ui/data-grid/types.ts'
import styles from './log-screen.module.css'

/** The number of fields that a row shows, one per line. */
const maxFields = 3

const changes = new WeakMap<object, readonly FieldChange[]>()

/** The values of an entry, computed once. */
function readChanges(row: LogRow): readonly FieldChange[] {
  const known = changes.get(row) ?? changesIn(row)
  changes.set(row, known)
  return known
}

export const countLines = (row: LogRow): number => countChangeLines(readChanges(row), maxFields)

export const logTexts: Texts<LogRow> = {
  log_name: (row) => logNameText(i18next.t, row.log_name),
  description: (row) => descriptionText(i18next.t, row.description),
  causer: ({ causer }) => causer ?? i18next.t('logs.filters.nobody'),
  subject_type: ({ subject_type: type }) => type && subjectTypeText(i18next.t, type),
}

/** The cells that the column kinds do not provide. @param onOpen opens an entry */
export function useLogCells(onOpen: (entry: LogRow) => void): Cells<LogRow> {
  const { t } = useTranslation()
  const user = useUser()
  const wordsOf = useValueLabels()
  return useMemo(() => {
    const subject = (text: (row: LogRow) => string | null) => (row: LogRow) => {
      const shown = text(row)
      const path = shown === null ? null : subjectPath(user, row)
      return path === null ? shown : <GridLink to={path}>{shown}</GridLink>
    }
    const ofId = subject(({ subject_id: id }) => (id === null ? null : String(id)))
    return {
      subject_id: (row) => <span data-tip={subjectNameText(t, row)}>{ofId(row)}</span>,
      subject_name: subject((row) => subjectNameText(t, row)),
      properties: (row) => {
        const changes = readChanges(row)
        if (changes.length === 0) return null
        return (
          <ChangeLines
            changes={changes}
            words={withNames(t, wordsOf(row.subject_type), row.names)}
            most={maxFields}
            more={(count) => (
              <button
                type="button"
                tabIndex={-1}
                data-main=""
                className={styles.more}
                onClick={() => onOpen(row)}
              >
                {t('logs.more', { count })}
              </button>
            )}
          />
        )
      },
    }
  }, [t, user, wordsOf, onOpen])
}
