import { formatTime } from '@kustos/contract/grid'
import { useTranslation } from 'react-i18next'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { useNow } from '../../ui/use-now.ts'

/** Says until when something is in maintenance: the time, and the day unless that is today. */
export function MaintenanceChip({ until }: { readonly until: string }) {
  const { t } = useTranslation()
  const today = formatTime(new Date(useNow(30_000)).toISOString()).slice(0, 10)
  const [day = '', time = ''] = formatTime(until).slice(0, 16).split(' ')
  const text = t('monitoring.maintenanceUntil', { time: day === today ? time : `${day} ${time}` })
  return <StatusChip tone="orange" text={text} />
}
