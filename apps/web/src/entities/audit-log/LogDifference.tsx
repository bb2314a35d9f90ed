import { type FieldChange, type LogEntry, listChange } from '@kustos/contract/logs'
import { useTranslation } from 'react-i18next'
import { ChangedValue, maxInlineNames } from './ChangedValue.tsx'
import { changesIn, formatValueLines, type ValueLabels } from './format-value.ts'
import styles from './logs.module.css'
import { useValueLabels, withNames } from './use-value-labels.ts'

interface Props {
  readonly entry: Pick<LogEntry, 'properties' | 'subject_type'> & Partial<Pick<LogEntry, 'names'>>
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
  const words = withNames(t, useValueLabels()(entry.subject_type), entry.names ?? null)
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
              <ChangedValue
                change={change}
                text={(value) => valueText(change.field, value, words, whole)}
                maxLength={whole ? undefined : maxLength}
              />
            </span>
          </li>
        ))}
      </ul>
      {onMore !== undefined && (hidden > 0 || isCut) && (
        <button type="button" className={styles.more} onClick={onMore}>
          {hidden > 0 ? t('logs.more', { count: hidden }) : t('logs.showFull')}
        </button>
      )}
    </>
  )
}

/** A value as text, cut unless shown in full; a long list then has one item per line. */
function valueText(field: string, value: unknown, words: ValueLabels, whole: boolean): string {
  const isLongList = whole && Array.isArray(value) && value.length > maxInlineNames
  const parts: readonly unknown[] = isLongList ? value : [value]
  const full = parts.flatMap((part) => formatValueLines(field, part, words)).join('\n')
  return whole || !isLong(full) ? full : `${full.slice(0, maxLength)}…`
}

const isLong = (text: string) => text.length > maxLength

function sidesOf({ field, oldValue, newValue }: FieldChange, words: ValueLabels): readonly string[] {
  const list = listChange(oldValue, newValue)
  if (list !== null) return [[...list.removed, ...list.added].join(', ')]
  return [oldValue, newValue].map((value) => formatValueLines(field, value, words).join('\n'))
}
