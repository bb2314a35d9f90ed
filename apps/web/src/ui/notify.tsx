import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck, IconLock } from '@tabler/icons-react'
import i18next from 'i18next'
import type { ReactNode } from 'react'
import { ApiError } from '../app/api-error.ts'
import type { ScreenName } from '../app/screens.ts'
import { sentence } from '../app/sentences.ts'

const closeButtonProps = () => ({ 'aria-label': i18next.t('ui.notify.close') })

/**
 * Says that something was done, and to what: "exampl.it: saved".
 * @param more a link to what came of it, say
 */
export function notifyDone(thing: string, text: string, more?: ReactNode) {
  notifications.show({
    title: `${thing}: ${text}`,
    message: more,
    color: 'teal',
    icon: <IconCheck size={16} />,
    closeButtonProps: closeButtonProps(),
  })
}

/** Says what failed, with the server's sentence. It stays until it is closed. */
export function notifyFailed(thing: string, error: unknown) {
  notifications.show({
    title: i18next.t('ui.notify.failed', { thing }),
    message: sentence(error instanceof ApiError ? (error.error ?? error.message) : String(error)),
    color: 'red',
    icon: <IconAlertTriangle size={16} />,
    autoClose: false,
    closeButtonProps: closeButtonProps(),
  })
}

/**
 * Says why somebody is not where they wanted to be, or where they were. It stays until it is closed.
 * @param hasKept whether something that they had typed there was kept
 */
export function notifyDenied(screen: ScreenName, hasKept: boolean) {
  notifications.show({
    // Once, however often it is tried.
    id: `denied ${screen}`,
    title: i18next.t('ui.notify.denied', { screen: i18next.t(`screens.${screen}.title`) }),
    message: i18next.t(hasKept ? 'ui.notify.deniedKept' : 'ui.notify.deniedHint'),
    color: 'orange',
    icon: <IconLock size={16} />,
    autoClose: false,
    closeButtonProps: closeButtonProps(),
  })
}
