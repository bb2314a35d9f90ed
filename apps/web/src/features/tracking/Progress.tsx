import type { Inspection } from '@kustos/contract/inspections'
import { Alert, Group, Loader, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { storedTexts } from '../../platform/message-text.ts'

export function Progress({ inspection }: { readonly inspection: Inspection | undefined }) {
  const { t } = useTranslation()
  const state = inspection?.state
  const isUnderWay = state === 'waiting' || state === 'running'
  return (
    <>
      {/* Always present, so that changes are announced. */}
      <div role="status">
        {isUnderWay && (
          <Group gap={8}>
            <Loader size={16} aria-hidden="true" />
            <Text>{t(`tracking.running.${state}`)}</Text>
          </Group>
        )}
      </div>
      {inspection !== undefined && state === 'failed' && (
        <Alert color="red" variant="outline" role="alert" p="sm" icon={<IconAlertTriangle size={16} />}>
          <Text fw={500}>{t('tracking.notDone')}</Text>
          {storedTexts(inspection.problems, inspection.problem_codes).map((problem) => (
            <Text key={problem}>{problem}</Text>
          ))}
        </Alert>
      )}
    </>
  )
}
