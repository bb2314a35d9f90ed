import {
  type AlertChannel,
  alertChannelChange,
  alertChannelsRoutes,
  newAlertChannel,
} from '@kustos/contract/alert-channels'
import { useTranslation } from 'react-i18next'
import { call } from '../../platform/client.ts'
import { write } from '../../platform/query.ts'
import { findListed } from '../../ui/contract-form/find-listed.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { ChannelFields } from './ChannelFields.tsx'
import { emptyForm, toForm } from './channel-form.ts'

const { createAlertChannel, editAlertChannel, listAlertChannels } = alertChannelsRoutes

export function AddChannelDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <FormDialog
      title={t('alertChannels.add')}
      onClose={onClose}
      schema={newAlertChannel}
      source={emptyForm}
      toValues={(values) => values}
      toBody={(values) => values}
      send={(body, signal) => write(createAlertChannel, { body }, [listAlertChannels], signal)}
      onSaved={(_, { name }) => notifyDone(name.trim(), t('alertChannels.done.created'))}
      submitLabel={t('alertChannels.add')}
    >
      {(fields) => <ChannelFields fields={fields} isNew />}
    </FormDialog>
  )
}

interface EditProps {
  readonly channel: AlertChannel
  readonly onClose: () => void
}

export function EditChannelDialog({ channel, onClose }: EditProps) {
  const { t } = useTranslation()
  const params = { id: channel.id }
  return (
    <FormDialog
      title={t('alertChannels.editTitle', { name: channel.name })}
      onClose={onClose}
      schema={alertChannelChange}
      source={channel}
      toValues={toForm}
      toBody={(values, { updated_at }) => ({ ...values, updated_at })}
      send={(body, signal) => write(editAlertChannel, { params, body }, [listAlertChannels], signal)}
      loadLatest={() =>
        findListed(
          call(listAlertChannels, {}).then(({ data }) => data),
          channel.id,
          'alert_channel_not_found',
        )
      }
      onSaved={(_, { name }) => notifyDone(name.trim(), t('alertChannels.done.saved'))}
      submitLabel={t('alertChannels.save')}
    >
      {(fields) => <ChannelFields fields={fields} isNew={false} />}
    </FormDialog>
  )
}
