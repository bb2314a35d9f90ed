import type { Inspection } from '@kustos/contract/inspections'
import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { storedTexts } from '../../platform/message-text.ts'

export function RefreshFailure({ inspection }: { readonly inspection: Inspection | undefined }) {
  const { t } = useTranslation()
  if (inspection?.state !== 'failed') return null
  return (
    <Alert color="red" variant="outline" role="alert" p="sm" mb="sm" icon={<IconAlertTriangle size={16} />}>
      <Text fw={500}>{t('webs.seen.notDone')}</Text>
      {storedTexts(inspection.problems, inspection.problem_codes).map((problem) => (
        <Text key={problem}>{problem}</Text>
      ))}
    </Alert>
  )
}
