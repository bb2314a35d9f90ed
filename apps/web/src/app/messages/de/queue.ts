import type { queue as en } from '../en/queue.ts'
import type { Translation } from '../translation.ts'

export const queue: Translation<typeof en> = {
  empty: 'Die Warteschlange ist leer',
  emptyHint:
    'Deployments und andere Jobs stehen hier, solange sie warten und laufen, und noch eine Weile danach.',
  deploymentsAlone: 'Nur Deployments',
  openDeployment: 'Deployment öffnen',
  editWeb: 'Web bearbeiten',
  copy: 'Id kopieren',
  copied: 'Id kopiert',
}
