import { monitoringRoutes, uptimePath } from '@kustos/contract/monitoring'
import type { Web } from '@kustos/contract/webs'
import { Anchor, Skeleton } from '@mantine/core'
import { IconChartLine } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { DayStrip } from '../../entities/incident/DayStrip.tsx'
import { dateText } from '../../entities/incident/day-text.ts'
import { addDays, dayOf, windowDays } from '../../entities/incident/days.ts'
import { ResponseTimes } from '../../entities/incident/ResponseTimes.tsx'
import { calculateUptime, percentText } from '../../entities/incident/uptime.ts'
import { useRoute } from '../../platform/query.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { Section } from '../../ui/Section.tsx'
import { useNow } from '../../ui/use-now.ts'
import styles from './web-page.module.css'

const count = 90
const height = 200
const stripHeight = 178

export function LatestDays({ id, web }: { readonly id: string; readonly web: Web | undefined }) {
  const { t, i18n } = useTranslation()
  const end = dayOf(useNow(30_000))
  const begin = addDays(end, 1 - count)
  const query = useRoute(
    monitoringRoutes.listUptime,
    { query: { web: id, begin, end } },
    { placeholderData: keepPreviousData },
  )
  const days = query.data?.data
  const allDays = useMemo(() => windowDays(begin, end, days ?? []), [begin, end, days])
  const isMonitored = web?.monitoring_web_active !== 0
  const since = days?.find(({ uptime }) => uptime !== null)?.date
  return (
    <>
      <Section
        title={t('webPage.days.title', { count })}
        beside={
          web !== undefined && (
            <Anchor component={Link} to={uptimePath(web)}>
              {t('webPage.days.more')}
            </Anchor>
          )
        }
      >
        <div className={styles.marked}>
          <span className={styles.share}>
            {days === undefined
              ? '–'
              : percentText(calculateUptime(count, days, query.dataUpdatedAt), i18n.language)}
          </span>
          <span className={styles.note}>
            {t('webPage.days.uptime')}
            {since !== undefined && since > begin && (
              <>, {t('monitoring.uptime.shareSince', { date: dateText(since) })}</>
            )}
          </span>
        </div>
        <QueryState query={query} skeleton={<Skeleton h={stripHeight} />}>
          {({ data }) =>
            data.some(({ uptime }) => uptime !== null) ? (
              <DayStrip days={allDays} />
            ) : (
              <EmptyState
                icon={IconChartLine}
                title={t('monitoring.uptime.chart.nothing')}
                hint={t(`monitoring.uptime.chart.${isMonitored ? 'nothingHint' : 'unwatched'}`)}
              />
            )
          }
        </QueryState>
      </Section>
      <Section title={t('monitoring.uptime.response.title')} hint={t('webPage.days.median')}>
        <QueryState query={query} skeleton={<Skeleton h={height} />}>
          {() => <ResponseTimes days={allDays} height={height} brief />}
        </QueryState>
      </Section>
    </>
  )
}
