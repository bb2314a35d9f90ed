import { Skeleton } from '@mantine/core'
import { IconChartLine } from '@tabler/icons-react'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../platform/load-code.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { chartHeight } from './chart-height.ts'
import type { ResponseProps } from './charts.tsx'

/** Recharts is large, so the charts load separately. */
const ResponseChart = lazyPart(async () => ({ default: (await import('./charts.tsx')).ResponseChart }))

export function ResponseTimes(props: ResponseProps) {
  const { t } = useTranslation()
  return props.days.some(({ known }) => known !== null && known.response_time_ms !== null) ? (
    <Suspense fallback={<Skeleton h={props.height ?? chartHeight} />}>
      <ResponseChart {...props} />
    </Suspense>
  ) : (
    <EmptyState icon={IconChartLine} title={t('monitoring.uptime.response.nothing')} />
  )
}
