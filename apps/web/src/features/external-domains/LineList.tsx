import { SegmentedControl, Text, Title } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { TFunction } from 'i18next'
import { memo, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { sentence } from '../../app/sentences.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import styles from './add.module.css'
import { type Counts, isTrouble, type ShownLine } from './lines.ts'

/** Which lines are listed. */
export type Show = 'all' | 'trouble'

/** In pixels, as add.module.css has them; lines with a sentence are measured. */
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
  readonly show: Show
  readonly onShow: (show: Show) => void
  /** Puts the cursor on a line of the field. */
  readonly onGoTo: (line: number) => void
}

/** What is to be said of each line. Only those in sight are drawn, be there thousands. */
export function LineList({ lines, counts, show, onShow, onGoTo }: Props) {
  const { t, i18n } = useTranslation()
  const heading = useId()
  const listed = show === 'all' ? lines : lines.filter(isTrouble)
  const kinds = (['valid', 'known', 'wrong'] as const).filter((kind) => counts[kind] > 0)
  return (
    <section aria-labelledby={heading} className={styles.lines}>
      <div className={styles.linesHead}>
        <Title order={2} id={heading} fz="sm" fw={600}>
          {t('limitis.add.linesTitle')}
        </Title>
        <Text fz="xs" c="dimmed" role="status" className={styles.counts}>
          {kinds
            .map((kind) =>
              t(`limitis.add.counts.${kind}`, {
                count: counts[kind],
                formatted: counts[kind].toLocaleString(i18n.language),
              }),
            )
            .join(' · ')}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={t('limitis.add.show.label')}
          data={[
            { value: 'all' as const, label: t('limitis.add.show.all') },
            { value: 'trouble' as const, label: t('limitis.add.show.trouble') },
          ]}
          value={show}
          onChange={onShow}
        />
      </div>
      {listed.length === 0 ? (
        <div className={styles.noLines}>
          <Text c="dimmed">{t(lines.length === 0 ? 'limitis.add.linesNone' : 'limitis.add.noTrouble')}</Text>
        </div>
      ) : (
        <Rows lines={listed} onGoTo={onGoTo} label={t('limitis.add.linesTitle')} />
      )}
    </section>
  )
}

interface RowsProps extends Pick<Props, 'lines' | 'onGoTo'> {
  readonly label: string
}

function Rows({ lines, onGoTo, label }: RowsProps) {
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
      <ul aria-label={label} className={styles.list} style={{ height: rows.getTotalSize() }}>
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
  const said = saidOf(line, t)
  return (
    <button
      type="button"
      className={styles.line}
      title={t('limitis.add.goTo', { line: line.line })}
      onClick={() => onGoTo(line.line)}
    >
      <span className={styles.number}>{line.line}</span>
      <span className={styles.typed}>{line.typed}</span>
      <StatusChip tone={tones[line.verdict]} text={t(`limitis.add.verdicts.${line.verdict}`)} />
      {said !== null && <span className={styles.said}>{said}</span>}
    </button>
  )
})

function saidOf(line: ShownLine, t: TFunction): string | null {
  switch (line.verdict) {
    case 'valid':
      return null
    case 'duplicate':
      return t('limitis.add.duplicateOf', { line: line.of })
    case 'listed':
      return t('limitis.add.listed')
    default:
      return sentence(line.message)
  }
}
