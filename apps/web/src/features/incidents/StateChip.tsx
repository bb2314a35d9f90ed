import { type IncidentEntry, incidentState } from '@kustos/contract/incidents'
import { useTranslation } from 'react-i18next'
import { StatusChip } from '../../ui/StatusChip.tsx'

const tones = { open: 'red', acknowledged: 'orange', ended: 'grey' } as const

export function StateChip({ incident }: { readonly incident: IncidentEntry }) {
  const { t } = useTranslation()
  const state = incidentState(incident)
  return <StatusChip tone={tones[state]} text={t(`gridLabels.incidents.options.state.${state}`)} />
}
