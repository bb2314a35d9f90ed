import type { Inspection } from '@kustos/contract/inspections'
import { Alert, type AlertProps, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { storedTexts } from '../../platform/message-text.ts'

interface Props extends Pick<AlertProps, 'mb'> {
  readonly inspection: Inspection | undefined
  readonly title: string
}

/** Why an inspection failed; nothing unless it did. */
export function InspectionFailure({ inspection, title, ...space }: Props) {
  if (inspection?.state !== 'failed') return null
  return (
    <Alert color="red" role="alert" icon={<IconAlertTriangle size={16} />} {...space}>
      <Text fw={500}>{title}</Text>
      {storedTexts(inspection.problems, inspection.problem_codes).map((problem) => (
        <Text key={problem}>{problem}</Text>
      ))}
    </Alert>
  )
}
