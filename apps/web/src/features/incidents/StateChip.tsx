import { type IncidentEntry, incidentState } from '@kustos/contract/incidents'
import { Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { StatusChip } from '../../ui/StatusChip.tsx'

const tones = { open: 'red', acknowledged: 'orange', ended: 'grey' } as const

export function StateChip({ incident }: { readonly incident: IncidentEntry }) {
  const { t } = useTranslation()
  const state = incidentState(incident)
  const { kind } = incident
  return (
    <Group gap={6}>
      <StatusChip tone={tones[state]} text={t(`gridLabels.incidents.options.state.${state}`)} />
      {kind !== 'down' && <StatusChip tone="orange" text={t(`gridLabels.incidents.options.kind.${kind}`)} />}
    </Group>
  )
}
