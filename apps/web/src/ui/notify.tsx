import { type NotificationData, notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck, IconLock } from '@tabler/icons-react'
import i18next from 'i18next'
import type { ReactNode } from 'react'
import { errorText } from '../platform/message-text.ts'
import { prepareOverlays } from './DeferredOverlays.tsx'

function show(notification: NotificationData) {
  void prepareOverlays()
  notifications.show({ closeButtonProps: { 'aria-label': i18next.t('ui.notify.close') }, ...notification })
}

/** Reports a success such as "exampl.it: saved". @param more such as a link to the result */
export function notifyDone(subject: string, text: string, more?: ReactNode) {
  show({ title: `${subject}: ${text}`, message: more, color: 'teal', icon: <IconCheck size={16} /> })
}

/**
 * Shows an error until it is closed.
 * @param reason a text, or the error of a call
 * @param more such as a link to what has failed
 * @throws errors other than ApiError
 */
export function notifyFailed(subject: string, reason: unknown, more?: ReactNode) {
  const text = typeof reason === 'string' ? reason : errorText(reason)
  show({
    title: i18next.t('ui.notify.failed', { subject }),
    message: more ? (
      <>
        <div style={{ whiteSpace: 'pre-line' }}>{text}</div>
        {more}
      </>
    ) : (
      text
    ),
    color: 'red',
    icon: <IconAlertTriangle size={16} />,
    autoClose: false,
  })
}

/**
 * Runs a change and reports its outcome.
 * @param done such as "saved"
 * @returns whether it succeeded
 * @throws errors other than ApiError
 */
export async function notifyOutcome(subject: string, done: string, change: () => Promise<unknown>) {
  try {
    await change()
  } catch (error) {
    notifyFailed(subject, error)
    return false
  }
  notifyDone(subject, done)
  return true
}

/**
 * Says that the user has no access to a screen, until it is closed.
 * @param hasDraft whether their input on that screen was kept
 */
export function notifyDenied(screenTitle: string, hasDraft: boolean) {
  show({
    // Repeated attempts show one notification.
    id: `denied ${screenTitle}`,
    title: i18next.t('ui.notify.denied', { screen: screenTitle }),
    message: i18next.t(hasDraft ? 'ui.notify.deniedKept' : 'ui.notify.deniedHint'),
    color: 'orange',
    icon: <IconLock size={16} />,
    autoClose: false,
  })
}
