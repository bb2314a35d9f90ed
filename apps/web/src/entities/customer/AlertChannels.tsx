import { type ReportingChannel, reportingChannels } from '@kustos/contract/webs'
import { Checkbox, type CheckboxGroupProps, Group } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'

export const channelNames = (channels: readonly ReportingChannel[], t: TFunction): string =>
  channels.map((channel) => t(`webs.form.channels.${channel}`)).join(', ')

/** Checkboxes for the channels of alerts. */
export function AlertChannels(props: Omit<CheckboxGroupProps, 'children'>) {
  const { t } = useTranslation()
  return (
    <Checkbox.Group {...props} mih={52}>
      <Group gap="lg" my={6}>
        {reportingChannels.map((channel) => (
          <Checkbox key={channel} value={channel} label={t(`webs.form.channels.${channel}`)} />
        ))}
      </Group>
    </Checkbox.Group>
  )
}
