import type { ui as en } from '../en/ui.ts'
import type { Translation } from '../translation.ts'

export const ui: Translation<typeof en> = {
  confirm: { title: 'Bitte bestätigen', yes: 'Ja', cancel: 'Abbrechen' },
  alert: { ok: 'OK', close: 'Schließen' },
  dialog: { cancel: 'Abbrechen', close: 'Schließen' },
  unsaved: {
    title: 'Nicht gespeicherte Änderungen',
    text: 'Ihre Änderungen sind nicht gespeichert. Trotzdem verlassen?',
    leave: 'Verlassen',
    stay: 'Bleiben',
  },
  query: {
    retry: 'Erneut versuchen',
    failed: 'Laden fehlgeschlagen',
    stale: 'Angezeigt werden die zuletzt geladenen Daten.',
  },
  web: {
    untitled: 'Web {{id}}',
    missing: 'Web {{id}} gibt es nicht',
    missingHint: 'Vielleicht wurde es gelöscht.',
  },
  bulk: {
    progress: '{{done}} von {{count}}',
    failure: '{{fqdn}}: {{reason}}',
    more_one: 'Und ein weiteres.',
    more_other: 'Und {{count}} weitere.',
  },
  copyRefused: 'Der Browser hat den Zugriff auf die Zwischenablage blockiert.',
  notify: {
    failed: '{{thing}}: fehlgeschlagen',
    close: 'Meldung schließen',
    denied: 'Kein Zugriff auf „{{screen}}“',
    deniedHint: 'Bitten Sie die Administration um die Berechtigung.',
    deniedKept:
      'Bitten Sie die Administration um die Berechtigung. Ihre Eingaben bleiben in diesem Tab erhalten, bis Sie ein anderes Formular öffnen.',
  },
}
