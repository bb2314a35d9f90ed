import { Skeleton } from '@mantine/core'
import { IconChartLine } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { chartHeight } from './chart-height.ts'
import type { WindowDay } from './days.ts'

/** Recharts is large, so the charts load separately. */
const ResponseChart = lazy(async () => ({ default: (await import('./charts.tsx')).ResponseChart }))

interface Props {
  readonly days: readonly WindowDay[]
  readonly height?: number
  /** Shows the median only. */
  readonly brief?: boolean
}

export function ResponseTimes({ days, height = chartHeight, brief = false }: Props) {
  const { t } = useTranslation()
  return days.some(({ known }) => known !== null && known.response_time_ms !== null) ? (
    <Suspense fallback={<Skeleton h={height} />}>
      <ResponseChart days={days} height={height} brief={brief} />
    </Suspense>
  ) : (
    <EmptyState icon={IconChartLine} title={t('monitoring.uptime.response.nothing')} />
  )
}
