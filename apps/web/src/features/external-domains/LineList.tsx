import { SegmentedControl, Text, Title } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { TFunction } from 'i18next'
import { memo, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { messageText } from '../../platform/message-text.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import styles from './add.module.css'
import { type Counts, hasProblem, type ShownLine } from './lines.ts'

const filters = ['all', 'problems'] as const
export type LineFilter = (typeof filters)[number]

/** Must match add.module.css; lines with a message are measured. */
const lineHeight = 30

const tones = {
  valid: 'green',
  duplicate: 'grey',
  listed: 'grey',
  invalid: 'red',
  failed: 'red',
} as const

interface Props {
  readonly lines: readonly ShownLine[]
  readonly counts: Counts
  readonly show: LineFilter
  readonly onShow: (show: LineFilter) => void
  /** Moves the cursor to a line of the field. */
  readonly onGoTo: (line: number) => void
}

/** Virtualized, because there may be thousands of lines. */
export function LineList({ lines, counts, show, onShow, onGoTo }: Props) {
  const { t } = useTranslation()
  const heading = useId()
  const visible = show === 'all' ? lines : lines.filter(hasProblem)
  const kinds = (['valid', 'duplicate', 'wrong'] as const).filter((kind) => counts[kind] > 0)
  return (
    <section aria-labelledby={heading} className={styles.lines}>
      <div className={styles.linesHead}>
        <Title order={2} id={heading} fz="sm" fw={600}>
          {t('limitis.add.linesTitle')}
        </Title>
        <Text fz="xs" c="dimmed" role="status" className={styles.counts}>
          {kinds.map((kind) => t(`limitis.add.counts.${kind}`, { count: counts[kind] })).join(' · ')}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={t('limitis.add.show.label')}
          data={filters.map((value) => ({ value, label: t(`limitis.add.show.${value}`) }))}
          value={show}
          onChange={onShow}
        />
      </div>
      {visible.length === 0 ? (
        <div className={styles.noLines}>
          <Text c="dimmed">{t(lines.length === 0 ? 'limitis.add.linesNone' : 'limitis.add.noProblems')}</Text>
        </div>
      ) : (
        <Rows lines={visible} onGoTo={onGoTo} />
      )}
    </section>
  )
}

function Rows({ lines, onGoTo }: Pick<Props, 'lines' | 'onGoTo'>) {
  const { t } = useTranslation()
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    getItemKey: (index) => lines[index]?.line ?? index,
    overscan: 10,
  })
  return (
    <div ref={scroller} className={styles.scroller}>
      <ul
        aria-label={t('limitis.add.linesTitle')}
        className={styles.list}
        style={{ height: rows.getTotalSize() }}
      >
        {rows.getVirtualItems().map(({ index, start }) => {
          const line = lines[index]
          return (
            line && (
              <li
                key={line.line}
                ref={rows.measureElement}
                data-index={index}
                aria-setsize={lines.length}
                aria-posinset={index + 1}
                className={styles.item}
                style={{ transform: `translateY(${start}px)` }}
              >
                <Line line={line} onGoTo={onGoTo} />
              </li>
            )
          )
        })}
      </ul>
    </div>
  )
}

const Line = memo(function Line({ line, onGoTo }: { readonly line: ShownLine } & Pick<Props, 'onGoTo'>) {
  const { t } = useTranslation()
  const message = messageOf(line, t)
  return (
    <button
      type="button"
      className={styles.line}
      title={t('limitis.add.goTo', { line: line.line })}
      onClick={() => onGoTo(line.line)}
    >
      <span className={styles.number}>{line.line}</span>
      <span className={styles.lineText}>{line.typed}</span>
      <StatusChip tone={tones[line.verdict]} text={t(`limitis.add.verdicts.${line.verdict}`)} />
      {message !== null && <span className={styles.message}>{message}</span>}
    </button>
  )
})

function messageOf(line: ShownLine, t: TFunction): string | null {
  switch (line.verdict) {
    case 'valid':
      return null
    case 'duplicate':
      return t('limitis.add.duplicateOf', { line: line.of })
    case 'listed':
      return t('limitis.add.listed')
    case 'invalid':
      return messageText(line.message) ?? ''
    case 'failed':
      return line.message
  }
}
