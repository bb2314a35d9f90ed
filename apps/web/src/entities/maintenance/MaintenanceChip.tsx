import { formatTime } from '@kustos/contract/grid'
import { IconBarrierBlock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { useNow } from '../../ui/use-now.ts'
import styles from './maintenance.module.css'

interface Props {
  readonly until: string
}

/** Says until when something is in maintenance. */
export const MaintenanceChip = ({ until }: Props) => (
  <StatusChip tone="orange" text={useEndTexts(until).sentence} />
)

/** The same in as little space as a cell has: "🚧 14:00". */
export function MaintenanceMark({ until }: Props) {
  const { time, sentence } = useEndTexts(until)
  return (
    <span role="img" aria-label={sentence} data-tip={sentence} className={styles.mark}>
      <IconBarrierBlock size={14} aria-hidden="true" />
      {time}
    </span>
  )
}

/** The time, and the day unless that is today. */
function useEndTexts(until: string) {
  const { t } = useTranslation()
  const today = formatTime(new Date(useNow(30_000)).toISOString()).slice(0, 10)
  const [day = '', clock = ''] = formatTime(until).slice(0, 16).split(' ')
  const isToday = day === today
  return {
    time: isToday ? clock : day.slice(5),
    sentence: t('monitoring.maintenanceUntil', { time: isToday ? clock : `${day} ${clock}` }),
  }
}
