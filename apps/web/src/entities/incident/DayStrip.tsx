import type { UptimeDay } from '@kustos/contract/monitoring'
import { Tooltip } from '@mantine/core'
import {
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { dateText, dayLines } from './day-text.ts'
import type { WindowDay } from './days.ts'
import styles from './uptime.module.css'
import { type DayLevel, levelOf } from './uptime.ts'

const levels: readonly DayLevel[] = ['up', 'planned', 'some', 'much', 'most', 'unknown']

/** The days with their index by month, YYYY-MM. */
const groupByMonth = (days: readonly WindowDay[]) =>
  Map.groupBy(
    days.map((day, index) => ({ day, index })),
    ({ day }) => day.date.slice(0, 7),
  )

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/** One cell per day, one row per month. It is a single tab stop; arrow keys move between days. */
export function DayStrip({ days }: { readonly days: readonly WindowDay[] }) {
  const { t, i18n } = useTranslation()
  const strip = useRef<HTMLDivElement>(null)
  const hint = useId()
  const months = useMemo(() => groupByMonth(days), [days])
  const monthName = new Intl.DateTimeFormat(i18n.language, {
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const [stop, setStop] = useState<string | null>(null)
  const [pointed, setPointed] = useState<HTMLElement | null>(null)

  const found = days.findIndex(({ date }) => date === stop)
  const active = found === -1 ? days.length - 1 : found

  const describe = (date: string, known: UptimeDay | null) => {
    const level = t(`monitoring.uptime.strip.levels.${levelOf(known)}`)
    return [`${dateText(date)}: ${level}`, ...dayLines(known, t, i18n.language)]
  }

  function onKeyDown(event: KeyboardEvent) {
    const last = days.length - 1
    const step = steps[event.key]
    const to =
      event.key === 'Home' ? 0 : event.key === 'End' ? last : step === undefined ? undefined : active + step
    if (event.key === 'Escape') setPointed(null)
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    strip.current?.querySelector<HTMLElement>(`[data-index="${Math.max(0, Math.min(last, to))}"]`)?.focus()
  }
  const cellOf = ({ target }: PointerEvent | FocusEvent) =>
    target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null

  const shown = days[Number(pointed?.dataset.index ?? Number.NaN)]
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields. */}
      <div
        ref={strip}
        role="group"
        aria-label={t('monitoring.uptime.strip.title')}
        aria-describedby={hint}
        className={styles.months}
        onKeyDown={onKeyDown}
        onPointerOver={(event) => setPointed(cellOf(event))}
        onPointerLeave={() => setPointed(null)}
        onFocus={(event) => {
          const cell = cellOf(event)
          setPointed(cell)
          setStop(days[Number(cell?.dataset.index)]?.date ?? null)
        }}
        onBlur={() => setPointed(null)}
      >
        {[...months].map(([month, daysOfMonth]) => (
          <div key={month}>
            <span className={styles.monthName} aria-hidden="true">
              {monthName.format(Date.parse(`${month}-01`))}
            </span>
            <div className={styles.cells}>
              {daysOfMonth.map(({ day: { date, known }, index }) => (
                <span
                  key={date}
                  role="img"
                  tabIndex={index === active ? 0 : -1}
                  aria-label={describe(date, known).join(', ')}
                  className={styles.cell}
                  data-level={levelOf(known)}
                  data-index={index}
                  style={{ gridColumn: Number(date.slice(8)) }}
                />
              ))}
            </div>
          </div>
        ))}
      </div>
      <div className={styles.legend}>
        {levels.map((level) => (
          <span key={level} className={styles.legendEntry}>
            <span className={styles.cell} data-level={level} aria-hidden="true" />
            {t(`monitoring.uptime.strip.levels.${level}`)}
          </span>
        ))}
        <span id={hint} className={styles.hint}>
          {t('monitoring.uptime.strip.hint')}
        </span>
      </div>
      {pointed?.isConnected && shown !== undefined && (
        <Tooltip
          key={shown.date}
          target={pointed}
          opened
          label={describe(shown.date, shown.known).join('\n')}
          multiline
          styles={{ tooltip: { whiteSpace: 'pre-line', pointerEvents: 'none' } }}
        />
      )}
    </>
  )
}
