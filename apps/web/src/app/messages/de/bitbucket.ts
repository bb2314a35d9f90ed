import type { bitbucket as en } from '../en/bitbucket.ts'
import type { Translation } from '../translation.ts'

export const bitbucket: Translation<typeof en> = {
  open: 'Öffnen',
  openNamed: '{{name}} auf Bitbucket in einem neuen Tab öffnen',
  copy: 'Namen kopieren',
  copied: 'Name kopiert',
  empty: 'Es gibt keine Repositorys',
  emptyHint: 'Hier stehen die Repositorys des Workspace, sobald Bitbucket gelesen wurde.',
  stale: 'Bitbucket ist nicht erreichbar. Die Liste der Repositorys wurde {{ago}} gelesen.',
}
