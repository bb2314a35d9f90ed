import type { queue as en } from '../en/queue.ts'
import type { Translation } from '../translation.ts'

export const queue: Translation<typeof en> = {
  empty: 'Die Warteschlange ist leer',
  emptyHint: 'Wartende, laufende und kürzlich abgeschlossene Jobs erscheinen hier.',
  deploymentsAlone: 'Nur Deployments',
  openDeployment: 'Deployment öffnen',
  editWeb: 'Web bearbeiten',
  copy: 'ID kopieren',
  copied: 'ID kopiert',
}
