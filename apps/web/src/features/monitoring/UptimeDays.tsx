import { monitoringRoutes, type UptimeDay } from '@kustos/contract/monitoring'
import { Card, SegmentedControl, Skeleton } from '@mantine/core'
import { IconChartLine } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { chartHeight } from '../../entities/incident/chart-height.ts'
import { DayStrip } from '../../entities/incident/DayStrip.tsx'
import { dateText } from '../../entities/incident/day-text.ts'
import { addDays, dayOf, uptimeWindow, windowDays } from '../../entities/incident/days.ts'
import { ResponseTimes } from '../../entities/incident/ResponseTimes.tsx'
import styles from '../../entities/incident/uptime.module.css'
import { calculateUptime, percentText, uptimeWindowsDays } from '../../entities/incident/uptime.ts'
import { lazyPart } from '../../platform/load-code.ts'
import { useRoute } from '../../platform/query.ts'
import { useUpdatableSearchParams } from '../../platform/search-params.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { Section } from '../../ui/Section.tsx'
import { useNow } from '../../ui/use-now.ts'
import { DayTable } from './DayTable.tsx'

const views = ['chart', 'table'] as const

/** Recharts is large, so the charts load separately. */
const DowntimeChart = lazyPart(async () => ({
  default: (await import('../../entities/incident/charts.tsx')).DowntimeChart,
}))

export function UptimeDays({ id }: { readonly id: string }) {
  const today = dayOf(useNow(30_000))
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
  readonly now: number
}

function Days({ days, begin, end, now }: Props) {
  const { t } = useTranslation()
  const [searchParams, updateSearchParams] = useUpdatableSearchParams()
  const view = views.find((known) => known === searchParams.get('view')) ?? 'chart'
  const all = useMemo(() => windowDays(begin, end, days), [begin, end, days])
  const isKnown = days.some(({ uptime }) => uptime !== null)
  const wasDown = days.some(({ downtime }) => downtime > 0)
  return (
    <>
      <Summary days={days} now={now} />
      <Section
        title={t('monitoring.uptime.chart.title')}
        beside={
          isKnown && (
            <SegmentedControl
              size="xs"
              aria-label={t('monitoring.uptime.chart.views.label')}
              value={view}
              onChange={(next) =>
                updateSearchParams({ view: next === 'chart' ? null : next }, { preventScrollReset: true })
              }
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
        <ResponseTimes days={all} />
      </Section>
    </>
  )
}

function Summary({ days, now }: Pick<Props, 'days' | 'now'>) {
  const { t, i18n } = useTranslation()
  const today = dayOf(now)
  const since = days.find(({ uptime }) => uptime !== null)?.date
  return (
    <Card p={0}>
      <dl className={styles.summary}>
        {uptimeWindowsDays.map((count) => (
          <div key={count}>
            <dt>{t('monitoring.uptime.share', { count })}</dt>
            <dd>
              {percentText(calculateUptime(count, days, now), i18n.language)}
              {since !== undefined && since > addDays(today, 1 - count) && (
                <span className={styles.since}>
                  {t('monitoring.uptime.shareSince', { date: dateText(since) })}
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
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
