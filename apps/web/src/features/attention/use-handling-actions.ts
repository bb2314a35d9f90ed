import { isPersonalKind } from '@kustos/contract/attention'
import {
  IconBellZ,
  IconCheck,
  IconMessage,
  IconRotate,
  IconUser,
  IconUserCheck,
  IconUserX,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useUser } from '../../platform/session.ts'
import type { RowAction } from '../../ui/data-grid/types.ts'
import { isAcknowledged, isSnoozed } from './handling-state.ts'
import { type Target, useHandling } from './use-handling.tsx'

export type DialogAction = 'acknowledge' | 'assign' | 'snooze'

/** What a user can do with an entry besides acting on its subject. @param openDialog for the changes that need input */
export function useHandlingActions(openDialog: (action: DialogAction, target: Target) => void) {
  const { t } = useTranslation()
  const me = useUser()?.id
  const handling = useHandling()

  /** The last item of the menu. */
  function actionsOf(target: Target): readonly RowAction[] {
    const { entry } = target
    const { kind, assigned_to } = entry
    const item = (key: string, label: string, icon: RowAction['icon'], run: () => unknown): RowAction => ({
      key,
      label,
      icon,
      run: () => void run(),
    })
    const dialog = (action: DialogAction) => () => openDialog(action, target)
    const assignment = [
      ...(assigned_to?.id === me
        ? []
        : [item('take', t('attention.take'), IconUserCheck, () => handling.take(target))]),
      item('assign', t('attention.assign'), IconUser, dialog('assign')),
      ...(assigned_to === null
        ? []
        : [item('unassign', t('attention.unassign'), IconUserX, () => handling.unassign(target))]),
    ]
    return [
      isAcknowledged(entry)
        ? item('withdraw', t('attention.withdraw'), IconRotate, () => handling.withdraw(target))
        : item('note', t('attention.acknowledgeWithNote'), IconMessage, dialog('acknowledge')),
      ...(isPersonalKind(kind) ? [] : assignment),
      isSnoozed(entry)
        ? item('endSnooze', t('attention.endSnooze'), IconRotate, () => handling.endSnooze(target))
        : item('snooze', t('attention.snooze'), IconBellZ, dialog('snooze')),
    ]
  }

  /** The button beside the menu; null for what is acknowledged. */
  const acknowledgement = (target: Target) =>
    isAcknowledged(target.entry)
      ? null
      : { label: t('attention.acknowledge'), icon: IconCheck, run: () => handling.acknowledge(target) }

  return { actionsOf, acknowledgement }
}
