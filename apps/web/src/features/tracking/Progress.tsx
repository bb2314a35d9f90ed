import type { Inspection } from '@kustos/contract/inspections'
import { Group, Loader, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { InspectionFailure } from '../../entities/inspection/InspectionFailure.tsx'

export function Progress({ inspection }: { readonly inspection: Inspection | undefined }) {
  const { t } = useTranslation()
  const state = inspection?.state
  return (
    <>
      {/* Always present, so that changes are announced. */}
      <div role="status">
        {(state === 'waiting' || state === 'running') && (
          <Group gap={8}>
            <Loader size={16} aria-hidden="true" />
            <Text>{t(`tracking.running.${state}`)}</Text>
          </Group>
        )}
      </div>
      <InspectionFailure inspection={inspection} title={t('tracking.notDone')} />
    </>
  )
}
