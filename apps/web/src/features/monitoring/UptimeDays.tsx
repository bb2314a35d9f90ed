import { monitoringRoutes, type UptimeDay } from '@kustos/contract/monitoring'
import { SegmentedControl, Skeleton } from '@mantine/core'
import { IconChartLine } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { lazy, Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { useRoute } from '../../app/query.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { Section } from '../../ui/Section.tsx'
import { useNow } from '../../ui/use-now.ts'
import { DayStrip } from './DayStrip.tsx'
import { DayTable } from './DayTable.tsx'
import { dayOf, uptimeWindow, windowDays } from './days.ts'
import { Shares } from './Shares.tsx'
import styles from './uptime.module.css'
import { chartHeight, views } from './view.ts'

/** Recharts is larger than the rest of the console: it comes when there is something to draw. */
const DowntimeChart = lazy(async () => ({ default: (await import('./charts.tsx')).DowntimeChart }))
const ResponseChart = lazy(async () => ({ default: (await import('./charts.tsx')).ResponseChart }))

/** Uptime over spans, downtime and response times per day: all from one answer. */
export function UptimeDays({ id }: { readonly id: string }) {
  const today = dayOf(useNow(30_000))
  // Another day is another window.
  const { begin, end } = useMemo(() => uptimeWindow(Date.parse(`${today}T12:00:00Z`)), [today])
  const query = useRoute(
    monitoringRoutes.listUptime,
    { query: { web: id, begin, end } },
    { placeholderData: keepPreviousData },
  )
  return (
    <QueryState query={query} skeleton={<DaysSkeleton />}>
      {({ data }) => <Days days={data} begin={begin} end={end} now={query.dataUpdatedAt} />}
    </QueryState>
  )
}

interface Props {
  readonly days: readonly UptimeDay[]
  readonly begin: string
  readonly end: string
  /** When they were read, in milliseconds. */
  readonly now: number
}

function Days({ days, begin, end, now }: Props) {
  const { t } = useTranslation()
  const { view, choose } = useView()
  const all = useMemo(() => windowDays(begin, end, days), [begin, end, days])
  const isKnown = days.some(({ uptime }) => uptime !== null)
  const wasDown = days.some(({ downtime }) => downtime > 0)
  const isMeasured = days.some(({ response_time_ms: median }) => median !== null)
  return (
    <>
      <Shares days={days} now={now} />
      <Section
        title={t('monitoring.uptime.chart.title')}
        beside={
          isKnown && (
            <SegmentedControl
              size="xs"
              aria-label={t('monitoring.uptime.chart.views.label')}
              value={view}
              onChange={choose}
              data={views.map((value) => ({ value, label: t(`monitoring.uptime.chart.views.${value}`) }))}
            />
          )
        }
        hint={isKnown && !wasDown ? t('monitoring.uptime.chart.none') : undefined}
      >
        {!isKnown && (
          <EmptyState
            icon={IconChartLine}
            title={t('monitoring.uptime.chart.nothing')}
            hint={t('monitoring.uptime.chart.nothingHint')}
          />
        )}
        {isKnown && view === 'table' && <DayTable days={all} />}
        {isKnown && view === 'chart' && (
          <Suspense fallback={<Skeleton h={chartHeight} />}>
            <DowntimeChart days={all} />
          </Suspense>
        )}
      </Section>
      <Section title={t('monitoring.uptime.strip.title')}>
        <DayStrip days={all} />
      </Section>
      <Section title={t('monitoring.uptime.response.title')}>
        {isMeasured ? (
          <Suspense fallback={<Skeleton h={chartHeight} />}>
            <ResponseChart days={all} />
          </Suspense>
        ) : (
          <EmptyState icon={IconChartLine} title={t('monitoring.uptime.response.nothing')} />
        )}
      </Section>
    </>
  )
}

/** What the address asks for; a copied link shows the same. */
function useView() {
  const [address, setAddress] = useSearchParams()
  const view = views.find((known) => known === address.get('view')) ?? 'chart'
  function choose(next: string) {
    setAddress(
      (now) => {
        if (next === 'chart') now.delete('view')
        else now.set('view', next)
        return now
      },
      { preventScrollReset: true },
    )
  }
  return { view, choose }
}

function DaysSkeleton() {
  const { t } = useTranslation()
  return (
    <div role="status" aria-label={t('grid.loading')} className={styles.sections}>
      <Skeleton h={79} />
      <Skeleton h={chartHeight + 74} />
      <Skeleton h={170} />
      <Skeleton h={chartHeight + 74} />
    </div>
  )
}
