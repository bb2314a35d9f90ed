import { type AttentionEntry, attentionRoutes } from '@kustos/contract/attention'
import type { CallInput } from '@kustos/contract/route'
import { useTranslation } from 'react-i18next'
import { write } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { notifyDone, notifyFailed } from '../../ui/notify.tsx'
import { useSubject } from './use-subject.ts'

const { acknowledgeEntry, assignEntry, endSnooze, listAttention, unassignEntry, withdrawAcknowledgement } =
  attentionRoutes

/** An entry, or with `isGroup` all that the same outage explains. */
export interface Target {
  readonly entry: AttentionEntry
  readonly isGroup: boolean
}

type WayBack = typeof withdrawAcknowledgement | typeof unassignEntry | typeof endSnooze

const wayBack = ({ entry, isGroup }: Target): CallInput<WayBack> => ({
  params: { id: entry.id },
  query: isGroup ? { group: '1' } : {},
})

/** The changes that need no dialog. Each reports its outcome, and those that hide an entry can be undone there. */
export function useHandling() {
  const { t } = useTranslation()
  const user = useUser()
  const subjectOf = useSubject()

  async function attempt(
    target: Target,
    done: string,
    change: () => Promise<unknown>,
    undo?: () => Promise<unknown>,
  ) {
    const subject = subjectOf(target)
    try {
      await change()
    } catch (error) {
      return notifyFailed(subject, error)
    }
    notifyDone(
      subject,
      done,
      undo && { label: t('attention.undo'), isUndo: true, run: () => void reopen(target, undo) },
    )
  }
  const reopen = (target: Target, change: () => Promise<unknown>) =>
    attempt(target, t('attention.done.reopened'), change)
  /** Leaves out what others have acknowledged of a group. */
  const undoAcknowledgement = ({ entry, isGroup }: Target) =>
    write(
      withdrawAcknowledgement,
      { params: { id: entry.id }, query: { undo: '1', ...(isGroup && { group: '1' }) } },
      [listAttention],
    )

  const seen = ({ entry, isGroup }: Target) => ({ updated_at: entry.updated_at, group: isGroup })

  return {
    acknowledge: (target: Target) =>
      attempt(
        target,
        t('attention.done.acknowledged'),
        () =>
          write(acknowledgeEntry, { params: { id: target.entry.id }, body: seen(target) }, [listAttention]),
        () => undoAcknowledgement(target),
      ),
    withdraw: (target: Target) =>
      attempt(target, t('attention.done.withdrawn'), () =>
        write(withdrawAcknowledgement, wayBack(target), [listAttention]),
      ),
    take: (target: Target) =>
      user &&
      attempt(target, t('attention.done.assigned', { user: user.email }), () =>
        write(assignEntry, { params: { id: target.entry.id }, body: { ...seen(target), user: user.id } }, [
          listAttention,
        ]),
      ),
    unassign: (target: Target) =>
      attempt(target, t('attention.done.unassigned'), () =>
        write(unassignEntry, wayBack(target), [listAttention]),
      ),
    endSnooze: (target: Target) =>
      attempt(target, t('attention.done.snoozeEnded'), () =>
        write(endSnooze, wayBack(target), [listAttention]),
      ),
  }
}
