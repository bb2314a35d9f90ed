import { incidentsRoutes } from '@kustos/contract/incidents'
import { useTranslation } from 'react-i18next'
import { write } from '../../platform/query.ts'
import { notifyOutcome } from '../../ui/notify.tsx'
import { staleRoutes } from './stale-routes.ts'

const { acknowledgeIncidents, undoAcknowledgements } = incidentsRoutes

/** Acknowledges incidents without a note, which can be undone in the notification. Returns whether it succeeded. */
export function useAcknowledge() {
  const { t } = useTranslation()
  return (subject: string, ids: readonly number[]) => {
    const body = { ids: [...ids] }
    return notifyOutcome(
      subject,
      t('attention.done.acknowledged'),
      () => write(acknowledgeIncidents, { body }, staleRoutes),
      {
        label: t('attention.undo'),
        isUndo: true,
        run: () =>
          void notifyOutcome(subject, t('attention.done.withdrawn'), () =>
            write(undoAcknowledgements, { body }, staleRoutes),
          ),
      },
    )
  }
}
