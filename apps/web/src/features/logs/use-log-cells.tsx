import { describedIn } from '@kustos/contract/log-words'
import { differenceText, type LogRow, listChange } from '@kustos/contract/logs'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ListDifference } from '../../app/logs/ListDifference.tsx'
import { subjectPath } from '../../app/logs/paths.ts'
import { useValueWords } from '../../app/logs/use-value-words.ts'
import { changesIn, type FieldChange, type ValueWords, valueLines } from '../../app/logs/value-lines.ts'
import { useUser } from '../../app/session.ts'
import { GridLink } from '../../ui/data-grid/GridLink.tsx'
import styles from './log-screen.module.css'

/** As many fields as a row shows, each on its line. */
const most = 3

const changes = new WeakMap<object, readonly FieldChange[]>()

/** What an entry tells of, worked out once. */
function changesOf(row: LogRow): readonly FieldChange[] {
  const known = changes.get(row) ?? changesIn(row)
  changes.set(row, known)
  return known
}

/** How many lines a row of the log has. */
export const linesOf = (row: LogRow): number => Math.max(1, Math.min(most, changesOf(row).length))

/** What the log shows beyond what the kinds of its columns give. @param onOpen shows the whole of an entry */
export function useLogCells(
  onOpen: (entry: LogRow) => void,
): Readonly<Record<string, (row: LogRow) => ReactNode>> {
  const { t, i18n } = useTranslation()
  const { language } = i18n
  const user = useUser()
  const ofWeb = useValueWords('web')
  const ofUser = useValueWords('user')
  const ofDomain = useValueWords('external_domain')
  const ofOthers = useValueWords(null)
  return useMemo(() => {
    const subject = (text: (row: LogRow) => string | null) => (row: LogRow) => {
      const shown = text(row)
      const path = shown === null ? null : subjectPath(user, row)
      return path === null ? shown : <GridLink to={path}>{shown}</GridLink>
    }
    const ofId = subject(({ subject_id: id }) => (id === null ? null : String(id)))
    const words: Readonly<Record<string, ValueWords>> = {
      web: ofWeb,
      user: ofUser,
      external_domain: ofDomain,
    }
    return {
      description: (row) => describedIn(language, row.description),
      subject_id: (row) => <span data-tip={row.subject_name}>{ofId(row)}</span>,
      subject_name: subject((row) => row.subject_name),
      properties: (row) => {
        const told = changesOf(row)
        if (told.length === 0) return null
        const ofRow = words[row.subject_type ?? ''] ?? ofOthers
        // The last line says how many more there are, and opens them all.
        const shown = told.slice(0, told.length > most ? most - 1 : most)
        return (
          <span className={styles.lines} data-tip={tipOf(told, ofRow)}>
            {shown.map((change) => (
              <Line key={change.field} change={change} words={ofRow} />
            ))}
            {told.length > most && (
              <button
                type="button"
                tabIndex={-1}
                data-main=""
                className={styles.more}
                onClick={() => onOpen(row)}
              >
                {t('logs.more', { count: told.length - shown.length })}
              </button>
            )}
          </span>
        )
      },
    }
  }, [t, language, user, ofWeb, ofUser, ofDomain, ofOthers, onOpen])
}

interface LineProps {
  readonly change: FieldChange
  readonly words: ValueWords
}

function Line({ change: { field, old, now }, words }: LineProps) {
  const text = (value: unknown) => valueLines(field, value, words).join(' ')
  const list = listChange(old, now)
  if (list !== null)
    return (
      <span className={styles.line}>
        <span className={styles.field}>{words.labelOf(field)}</span> <ListDifference change={list} />
      </span>
    )
  return (
    <span className={styles.line}>
      <span className={styles.field}>{words.labelOf(field)}</span>{' '}
      {old !== undefined && <del className={styles.old}>{text(old)}</del>}
      {old !== undefined && now !== undefined && ' → '}
      {now !== undefined && <ins className={styles.new}>{text(now)}</ins>}
    </span>
  )
}

/** A tooltip is no page: what is longer is told by the whole entry. */
const mostLines = 12
const mostLetters = 300

function tipOf(told: readonly FieldChange[], words: ValueWords): string {
  const lines = told.slice(0, mostLines).map(({ field, old, now }) => {
    const text = (value: unknown) => valueLines(field, value, words).join(' ')
    const said =
      old === undefined ? text(now) : now === undefined ? text(old) : differenceText(old, now, text)
    const line = `${words.labelOf(field)}: ${said}`
    return line.length > mostLetters ? `${line.slice(0, mostLetters)}…` : line
  })
  return [...lines, ...(told.length > mostLines ? ['…'] : [])].join('\n')
}
