import type { bitbucket as en } from '../en/bitbucket.ts'
import type { Translation } from '../translation.ts'

export const bitbucket: Translation<typeof en> = {
  open: 'Öffnen',
  openNamed: '{{name}} auf Bitbucket in einem neuen Tab öffnen',
  copy: 'Namen kopieren',
  copied: 'Name kopiert',
  empty: 'Keine Repositorys',
  emptyHint: 'Repositorys erscheinen hier nach dem ersten Abgleich mit Bitbucket.',
  stale: 'Bitbucket ist nicht erreichbar. Diese Liste wurde {{ago}} geladen.',
}
