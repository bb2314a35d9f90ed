import { hasViolation, listStoredViolations } from '@kustos/contract/tracker-storage'
import { consentPhases, type TrackingVisit } from '@kustos/contract/tracking'
import { Alert, Text } from '@mantine/core'
import { IconShieldExclamation } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { requestedName } from './service-name.ts'
import { isElsewhere, stopText } from './stop-text.ts'
import styles from './tracking.module.css'

/**
 * Which tracking services a visit saw without consent, and on which page if not on the start page, or that they have stored
 * something. Empty if there are none.
 */
export function Violations({ visit }: { readonly visit: TrackingVisit }) {
  const { t } = useTranslation()
  if (!hasViolation(visit)) return null
  const violations = visit.asked.filter(({ verdict }) => verdict === 'violation')
  const stored = listStoredViolations(visit)
  return (
    <Alert color="red" variant="light" icon={<IconShieldExclamation size={16} />}>
      <Text fw={500}>{t('tracking.visit.violations')}</Text>
      <ul className={styles.problems}>
        {consentPhases.map((phase) => {
          const requested = violations
            .filter((one) => one.phase === phase)
            .map((one) => {
              const name = requestedName(one)
              return isElsewhere(one.stop) ? `${name} (${stopText(one.stop, t)})` : name
            })
          const storing = stored
            .filter((item) => item.phase === phase)
            .map(({ topic = null, entity, host }) =>
              t('tracking.visit.stores', { name: requestedName({ topic, entity, host }) }),
            )
          const names = [...requested, ...storing]
          return (
            names.length > 0 && (
              <li key={phase}>
                {t(`tracking.visit.phases.${phase}`)}: {[...new Set(names)].join(', ')}
              </li>
            )
          )
        })}
      </ul>
    </Alert>
  )
}
