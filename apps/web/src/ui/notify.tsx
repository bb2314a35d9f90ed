import { Anchor, Kbd } from '@mantine/core'
import { randomId } from '@mantine/hooks'
import { type NotificationData, notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck, IconLock } from '@tabler/icons-react'
import i18next from 'i18next'
import { errorText } from '../platform/message-text.ts'
import { onUserChange } from '../platform/session.ts'
import { prepareOverlays } from './DeferredOverlays.tsx'
import { undoKey, undos } from './undo-latest.ts'

/** What a notification offers, such as a way to the result. It closes once that is used. */
export interface NotificationAction {
  readonly label: string
  /** Whether it takes back what was done, as the key for that then does, too. */
  readonly isUndo?: true
  readonly run: () => void
}

/** A notification's action may be missing, or false without a permission. */
type OptionalAction = NotificationAction | false | undefined

/** Grows, so that the newest are displayed if there is no room for all. */
let priority = 0

/** Longer than others, for a mistake that is noticed after a moment. */
const undoMs = 10_000

// Another user must neither see what this one did nor take it back.
onUserChange(() => {
  notifications.clean()
  undos.clear()
})

function show(notification: NotificationData) {
  void prepareOverlays()
  priority += 1
  notifications.show({
    priority,
    onClose: ({ id }) => undos.delete(id ?? ''),
    closeButtonProps: { 'aria-label': i18next.t('ui.notify.close') },
    ...notification,
  })
}

/** Notifications are outside of the router, so that an action is a button even if it leads to a screen. */
function withAction(id: string, text: string, action: OptionalAction) {
  if (!action) return text
  const use = () => {
    notifications.hide(id)
    action.run()
  }
  if (action.isUndo) undos.set(id, use)
  return (
    <>
      {text && <div style={{ whiteSpace: 'pre-line' }}>{text}</div>}
      <Anchor
        component="button"
        type="button"
        inherit
        aria-keyshortcuts={action.isUndo && undoKey}
        onClick={use}
      >
        {action.label}
      </Anchor>
      {action.isUndo && (
        <Kbd size="xs" ms={8} visibleFrom="sm">
          {undoKey.toUpperCase()}
        </Kbd>
      )}
    </>
  )
}

/** Reports a success such as "exampl.it: saved". */
export function notifyDone(subject: string, text: string, action?: OptionalAction) {
  const id = randomId('notification')
  const message = withAction(id, '', action)
  show({
    id,
    title: `${subject}: ${text}`,
    message,
    color: 'teal',
    icon: <IconCheck size={16} />,
    ...(undos.has(id) && { autoClose: undoMs }),
  })
}

/**
 * Shows an error until it is closed.
 * @param reason a text, or the error of a call
 * @throws errors other than ApiError
 */
export function notifyFailed(subject: string, reason: unknown, action?: OptionalAction) {
  const id = randomId('notification')
  const text = typeof reason === 'string' ? reason : errorText(reason)
  show({
    id,
    title: i18next.t('ui.notify.failed', { subject }),
    message: withAction(id, text, action),
    color: 'red',
    icon: <IconAlertTriangle size={16} />,
    autoClose: false,
  })
}

/**
 * Runs a change and reports its outcome.
 * @param done such as "saved"
 * @param action offered if it succeeds
 * @returns whether it succeeded
 * @throws errors other than ApiError
 */
export async function notifyOutcome(
  subject: string,
  done: string,
  change: () => Promise<unknown>,
  action?: NotificationAction,
) {
  try {
    await change()
  } catch (error) {
    notifyFailed(subject, error)
    return false
  }
  notifyDone(subject, done, action)
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
