import { differenceText, type FieldChange, type LogRow } from '@kustos/contract/logs'
import i18next from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ChangedValue } from '../../entities/audit-log/ChangedValue.tsx'
import { descriptionText } from '../../entities/audit-log/description-text.ts'
import { changesIn, formatValueLines, type ValueLabels } from '../../entities/audit-log/format-value.ts'
import { subjectPath } from '../../entities/audit-log/paths.ts'
import { useValueLabels } from '../../entities/audit-log/use-value-labels.ts'
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

export const countLines = (row: LogRow): number => Math.max(1, Math.min(maxFields, readChanges(row).length))

export const logTexts: Texts<LogRow> = {
  description: (row) => descriptionText(i18next.t, row.description),
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
      subject_id: (row) => <span data-tip={row.subject_name}>{ofId(row)}</span>,
      subject_name: subject((row) => row.subject_name),
      properties: (row) => {
        const changes = readChanges(row)
        if (changes.length === 0) return null
        const words = wordsOf(row.subject_type)
        // The last line says how many more there are and opens the entry.
        const shown = changes.slice(0, changes.length > maxFields ? maxFields - 1 : maxFields)
        return (
          <span className={styles.lines} data-tip={formatTip(changes, words)}>
            {shown.map((change) => (
              <span key={change.field} className={styles.line}>
                <span className={styles.field}>{words.labelOf(change.field)}</span>{' '}
                <ChangedValue
                  change={change}
                  text={(value) => formatValueLines(change.field, value, words).join(' ')}
                />
              </span>
            ))}
            {changes.length > maxFields && (
              <button
                type="button"
                tabIndex={-1}
                data-main=""
                className={styles.more}
                onClick={() => onOpen(row)}
              >
                {t('logs.more', { count: changes.length - shown.length })}
              </button>
            )}
          </span>
        )
      },
    }
  }, [t, user, wordsOf, onOpen])
}

/** Longer values are only shown in the open entry. */
const maxTipLines = 12
const maxLength = 300

function formatTip(changes: readonly FieldChange[], words: ValueLabels): string {
  const lines = changes.slice(0, maxTipLines).map(({ field, oldValue, newValue }) => {
    const text = (value: unknown) => formatValueLines(field, value, words).join(' ')
    const change =
      oldValue === undefined || newValue === undefined
        ? text(oldValue ?? newValue)
        : differenceText(oldValue, newValue, text)
    const line = `${words.labelOf(field)}: ${change}`
    return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line
  })
  return [...lines, ...(changes.length > maxTipLines ? ['…'] : [])].join('\n')
}
