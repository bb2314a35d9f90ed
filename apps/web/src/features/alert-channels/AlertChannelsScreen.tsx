import { type AlertChannel, alertChannelColumns, alertChannelsRoutes } from '@kustos/contract/alert-channels'
import { can } from '@kustos/contract/permissions'
import { Button } from '@mantine/core'
import { IconBellRinging, IconPencil, IconPlus, IconSend, IconTrash } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRoute, write } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { Can } from '../../ui/Can.tsx'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import { GridButton } from '../../ui/data-grid/GridButton.tsx'
import type { Cells, RowActions } from '../../ui/data-grid/types.ts'
import { notifyOutcome } from '../../ui/notify.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { AddChannelDialog, EditChannelDialog } from './ChannelDialog.tsx'
import { TestDialog } from './TestDialog.tsx'
import { textOfWaiting } from './waiting-alerts.ts'

const { createAlertChannel, deleteAlertChannel, editAlertChannel, listAlertChannels } = alertChannelsRoutes

const getId = ({ id }: AlertChannel) => id
/** Those of the configuration are not edited here. */
const isOwn = ({ origin }: AlertChannel) => origin === 'console'

/** Where alerts can be sent. */
export default function AlertChannelsScreen() {
  const { t } = useTranslation()
  const query = useRoute(listAlertChannels, {})
  const [adding, setAdding] = useState(false)
  const [edited, setEdited] = useState<AlertChannel | null>(null)
  const [tested, setTested] = useState<AlertChannel | null>(null)
  const rows = useMemo(
    () =>
      query.data?.data.map((channel) =>
        channel.origin === 'configuration'
          ? {
              ...channel,
              name: t('alertChannels.ofConfiguration', {
                kind: t(`gridLabels.alertChannels.options.kind.${channel.kind}`),
              }),
            }
          : channel,
      ),
    [query.data, t],
  )
  const rowActions = useRowActions(rows ?? [], setEdited, setTested)
  const rolesOf = useRolesOf()
  const mayEdit = can(useUser(), editAlertChannel.access)
  const cells = useMemo(
    (): Cells<AlertChannel> => ({
      name: (row) =>
        mayEdit && isOwn(row) ? <GridButton onClick={() => setEdited(row)}>{row.name}</GridButton> : row.name,
      roles: (row) => rolesOf(row).join(', '),
    }),
    [rolesOf, mayEdit],
  )
  const add = (
    <Can access={createAlertChannel.access}>
      <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
        {t('alertChannels.add')}
      </Button>
    </Can>
  )
  return (
    <>
      <DataGrid
        id="alert-channels"
        title={t('screens.monitoring-channels.title')}
        grid={alertChannelColumns}
        query={query}
        rows={rows}
        getRowId={getId}
        renderCell={cells}
        // Without a right to change them, each row would have an empty menu.
        {...(mayEdit && { rowActions })}
        empty={{
          icon: IconBellRinging,
          title: t('alertChannels.empty'),
          hint: t('alertChannels.emptyHint'),
          action: add,
        }}
        toolbar={() => add}
      />
      {adding && <AddChannelDialog onClose={() => setAdding(false)} />}
      {edited !== null && <EditChannelDialog channel={edited} onClose={() => setEdited(null)} />}
      {tested !== null && <TestDialog channel={tested} onClose={() => setTested(null)} />}
    </>
  )
}

/** What a channel is used as, besides by routes. */
function useRolesOf(): (channel: AlertChannel) => readonly string[] {
  const { t } = useTranslation()
  return useMemo(() => {
    const { webs } = t('alertChannels.fields', { returnObjects: true })
    return ({ default_for, fallback, origin, kind }) => [
      ...(default_for === null ? [] : [webs[default_for]]),
      ...(origin === 'configuration' && kind in webs ? [webs[kind as keyof typeof webs]] : []),
      ...(fallback ? [t('alertChannels.fallback')] : []),
    ]
  }, [t])
}

function useRowActions(
  channels: readonly AlertChannel[],
  edit: (channel: AlertChannel) => void,
  test: (channel: AlertChannel) => void,
): (row: AlertChannel) => RowActions {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const rolesOf = useRolesOf()

  async function remove(channel: AlertChannel) {
    const { id, name, waiting } = channel
    const roles = rolesOf(channel)
    const hint = [
      ...(roles.length > 0 ? [t('alertChannels.deleteRoles', { roles: roles.join(', ') })] : []),
      ...(waiting > 0 ? [t(textOfWaiting(channel, channels), { count: waiting })] : []),
    ].join(' ')
    const question = {
      text: t('confirm.deleteNamed.channel', { name }),
      ...(hint !== '' && { hint }),
      yes: t('alertChannels.delete'),
    }
    if (!(await confirm({ title: name, ...question, danger: true }))) return
    await notifyOutcome(name, t('alertChannels.done.deleted'), () =>
      write(deleteAlertChannel, { params: { id } }, [listAlertChannels]),
    )
  }

  return (channel) => {
    const own = isOwn(channel)
    return [
      { key: 'test', label: t('alertChannels.test.label'), icon: IconSend, run: () => test(channel) },
      own && { key: 'edit', label: t('alertChannels.edit'), icon: IconPencil, run: () => edit(channel) },
      (own || channel.state === 'missing') && {
        key: 'delete',
        label: t('alertChannels.delete'),
        icon: IconTrash,
        danger: true,
        run: () => void remove(channel),
      },
    ]
  }
}
