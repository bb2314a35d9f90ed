import { type LogEntry, listChange } from '@kustos/contract/logs'
import { useTranslation } from 'react-i18next'
import { ListDifference, maxInlineNames } from './ListDifference.tsx'
import styles from './logs.module.css'
import { useValueWords } from './use-value-words.ts'
import { changesIn, type FieldChange, type ValueWords, valueLines } from './value-lines.ts'

interface Props {
  readonly entry: Pick<LogEntry, 'properties' | 'subject_type'>
  /** Maximum number of fields shown. */
  readonly most?: number
  /** Shows long values in full. */
  readonly whole?: boolean
  /** Called to show what is hidden; without it there is no button for that. */
  readonly onMore?: () => void
}

/** Length at which a value is cut. */
const maxLength = 160

export function LogDifference({ entry, most = Number.POSITIVE_INFINITY, whole = false, onMore }: Props) {
  const { t } = useTranslation()
  const words = useValueWords(entry.subject_type)
  const changes = changesIn(entry)
  if (changes.length === 0) return null
  const shown = changes.slice(0, most)
  const hidden = changes.length - shown.length
  const isCut = !whole && shown.some((change) => sidesOf(change, words).some(isLong))
  return (
    <>
      <ul className={styles.difference} data-whole={whole || undefined}>
        {shown.map((change) => (
          <li key={change.field} className={styles.change}>
            <span className={styles.field}>{words.labelOf(change.field)}</span>
            <span className={styles.sides}>
              <Sides change={change} words={words} whole={whole} />
            </span>
          </li>
        ))}
      </ul>
      {onMore !== undefined && (hidden > 0 || isCut) && (
        <button type="button" className={styles.more} onClick={onMore}>
          {hidden > 0 ? t('logs.more', { count: hidden }) : t('logs.whole')}
        </button>
      )}
    </>
  )
}

interface SidesProps {
  readonly change: FieldChange
  readonly words: ValueWords
  readonly whole: boolean
}

function Sides({ change: { field, old, now }, words, whole }: SidesProps) {
  const text = (value: unknown) => {
    // A long list is shown with one item per line.
    const isLongList = whole && Array.isArray(value) && value.length > maxInlineNames
    const parts: readonly unknown[] = isLongList ? value : [value]
    const full = parts.flatMap((part) => valueLines(field, part, words)).join('\n')
    return whole || !isLong(full) ? full : `${full.slice(0, maxLength)}…`
  }
  const list = listChange(old, now)
  if (list !== null) return <ListDifference change={list} maxLength={whole ? undefined : maxLength} />
  if (old === undefined) return <ins className={styles.new}>{text(now)}</ins>
  return (
    <>
      <del className={styles.old}>{text(old)}</del>
      {now !== undefined && (
        <>
          {' → '}
          <ins className={styles.new}>{text(now)}</ins>
        </>
      )}
    </>
  )
}

const isLong = (text: string) => text.length > maxLength

function sidesOf({ field, old, now }: FieldChange, words: ValueWords): readonly string[] {
  const list = listChange(old, now)
  if (list !== null) return [[...list.removed, ...list.added].join(', ')]
  return [old, now].map((value) => valueLines(field, value, words).join('\n'))
}
