import { type IncidentDetails, incidentsRoutes } from '@kustos/contract/incidents'
import { ActionIcon, Menu } from '@mantine/core'
import {
  IconBell,
  IconBellZ,
  IconCheck,
  IconDots,
  IconMessage,
  IconRotate,
  IconUserCheck,
  IconUserMinus,
  IconUserPlus,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { write } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { ActionItems } from '../../ui/ActionItems.tsx'
import { type Control, ControlButton } from '../../ui/ControlButton.tsx'
import type { RowAction } from '../../ui/data-grid/types.ts'
import { notifyOutcome } from '../../ui/notify.tsx'
import { AcknowledgeDialog, AssignDialog, SnoozeDialog } from './IncidentDialogs.tsx'
import { staleRoutes } from './stale-routes.ts'
import { useAcknowledge } from './use-acknowledge.ts'

const { assignIncident, endIncidentSnooze, unassignIncident, withdrawIncidentAcknowledgement } =
  incidentsRoutes

const dialogs = { acknowledge: AcknowledgeDialog, assign: AssignDialog, snooze: SnoozeDialog } as const

interface Props {
  readonly incident: IncidentDetails
  readonly title: string
}

/** What can be done about an open incident. Of an outage, it holds for all of its webs. */
export function IncidentActions({ incident, title }: Props) {
  const { t } = useTranslation()
  const user = useUser()
  const acknowledge = useAcknowledge()
  const [dialog, setDialog] = useState<keyof typeof dialogs | null>(null)
  const [running, setRunning] = useState<string | null>(null)
  const { id, acknowledged_at, assigned_to, snoozed_until } = incident
  const params = { id }

  /** What is done without a dialog, and whether it is under way. */
  const control = (key: string, change: () => Promise<unknown>): Control & { readonly key: string } => ({
    key,
    isRunning: running === key,
    run: () => {
      setRunning(key)
      void change().finally(() => setRunning(null))
    },
  })
  const undo = (
    route: typeof endIncidentSnooze | typeof unassignIncident | typeof withdrawIncidentAcknowledgement,
    done: string,
  ) => control(done, () => notifyOutcome(title, done, () => write(route, { params }, staleRoutes)))
  const open = (name: keyof typeof dialogs) => ({ key: name, run: () => setDialog(name) })

  const take =
    user === null || assigned_to?.id === user.id
      ? null
      : control('take', () =>
          notifyOutcome(title, t('attention.done.assigned', { user: user.email }), () =>
            write(assignIncident, { params, body: { user: user.id } }, staleRoutes),
          ),
        )
  const inMenu: readonly RowAction[] = [
    acknowledged_at === null
      ? { ...open('acknowledge'), label: t('attention.acknowledgeWithNote'), icon: IconMessage }
      : {
          ...undo(withdrawIncidentAcknowledgement, t('attention.done.withdrawn')),
          label: t('attention.withdraw'),
          icon: IconRotate,
        },
    { ...open('assign'), label: t('attention.assign'), icon: IconUserPlus },
    ...(assigned_to === null
      ? []
      : [
          {
            ...undo(unassignIncident, t('attention.done.unassigned')),
            label: t('attention.unassign'),
            icon: IconUserMinus,
          },
        ]),
    snoozed_until === null
      ? { ...open('snooze'), label: t('attention.snooze'), icon: IconBellZ }
      : {
          ...undo(endIncidentSnooze, t('attention.done.snoozeEnded')),
          label: t('attention.endSnooze'),
          icon: IconBell,
        },
  ]
  const Dialog = dialog && dialogs[dialog]
  return (
    <>
      <ControlButton
        control={acknowledged_at === null ? control('acknowledge', () => acknowledge(title, [id])) : null}
        label={t('attention.acknowledge')}
        icon={IconCheck}
        isPrimary
      />
      <ControlButton control={take} label={t('attention.take')} icon={IconUserCheck} />
      <Menu position="bottom-end" withinPortal={false}>
        <Menu.Target>
          <ActionIcon variant="default" size={32} aria-label={t('attention.actionsFor', { subject: title })}>
            <IconDots size={16} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <ActionItems actions={inMenu} />
        </Menu.Dropdown>
      </Menu>
      {Dialog && <Dialog incident={incident} title={title} onClose={() => setDialog(null)} />}
    </>
  )
}
