import type { webPage as en } from '../en/web-page.ts'
import type { Translation } from '../translation.ts'

export const webPage: Translation<typeof en> = {
  show: 'Web anzeigen',
  audit: 'Tracking-Audit',
}
