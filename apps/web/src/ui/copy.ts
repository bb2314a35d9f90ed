import i18next from 'i18next'
import { notifyDone, notifyFailed } from './notify.tsx'

/** @param done for the notification, such as "FQDN copied" */
export async function copyAndNotify(name: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(name)
    notifyDone(name, done)
  } catch {
    notifyFailed(name, i18next.t('ui.copyRefused'))
  }
}
