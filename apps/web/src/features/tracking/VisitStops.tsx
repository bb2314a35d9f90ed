import type { CoveredStop } from '@kustos/contract/tracking'
import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { stopText } from '../../entities/tracking/stop-text.ts'
import styles from '../../entities/tracking/tracking.module.css'
import { storedText } from '../../platform/message-text.ts'

/** Which pages a visit saw and as whom, and why not. */
export function VisitStops({ stops }: { readonly stops: readonly CoveredStop[] }) {
  const { t } = useTranslation()
  return (
    <div>
      <Text component="h3" fw={500} className={styles.group}>
        {t('tracking.visit.stops.title')}
      </Text>
      <ul className={styles.problems}>
        {stops.map((stop) => (
          <li key={`${stop.page} ${stop.visitor}`}>
            <Text span fz="sm">
              {stopText(stop, t)}
            </Text>
            {stop.problem !== null && (
              <Text span fz="sm" c="dimmed">
                {': '}
                {storedText(stop.problem, stop.problem_code, stop.problem_params)}
              </Text>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
