import { type AlertChannel, alertChannelsRoutes, type ChannelTest } from '@kustos/contract/alert-channels'
import { Alert, Button, Group, Loader, Modal, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '../../platform/api-error.ts'
import { write } from '../../platform/query.ts'
import { Failure } from '../../ui/Failure.tsx'
import { longTitle } from '../../ui/use-confirm.tsx'
import { useReturnFocus } from '../../ui/use-return-focus.ts'

const { listAlertChannels, testAlertChannel } = alertChannelsRoutes

interface Props {
  readonly channel: AlertChannel
  readonly onClose: () => void
}

/** Sends a test message and shows what the service answered. */
export function TestDialog({ channel: { id, name }, onClose }: Props) {
  const { t } = useTranslation()
  const { data, error, isPending, mutate } = useMutation<ChannelTest, ApiError>({
    mutationFn: () => write(testAlertChannel, { params: { id } }, [listAlertChannels]),
  })
  useEffect(() => mutate(), [mutate])
  useReturnFocus()
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('alertChannels.test.title', { name })}
      styles={longTitle}
      closeButtonProps={{ 'aria-label': t('ui.dialog.close') }}
    >
      <Stack gap="md">
        <div role="status" aria-busy={isPending}>
          {isPending && (
            <Group gap="sm">
              <Loader size="sm" aria-hidden="true" />
              <Text>{t('alertChannels.test.sending')}</Text>
            </Group>
          )}
          {data?.ok && (
            <Alert color="green" icon={<IconCheck size={18} />} title={t('alertChannels.test.accepted')}>
              {t('alertChannels.test.look')}
            </Alert>
          )}
          {data?.ok === false && (
            <Alert color="red" icon={<IconAlertTriangle size={18} />} title={t('alertChannels.test.refused')}>
              <span translate="no">{data.error}</span>
            </Alert>
          )}
        </div>
        {error !== null && <Failure error={error} onRetry={mutate} retrying={isPending} />}
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            {t('ui.dialog.close')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
