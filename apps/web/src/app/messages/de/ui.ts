import type { ui as en } from '../en/ui.ts'
import type { Translation } from '../translation.ts'

export const ui: Translation<typeof en> = {
  confirm: { title: 'Bitte bestätigen', yes: 'Ja', cancel: 'Abbrechen' },
  alert: { ok: 'OK', close: 'Schließen' },
  dialog: { cancel: 'Abbrechen', close: 'Schließen' },
  unsaved: {
    title: 'Nicht gespeicherte Änderungen',
    text: 'Ihre Änderungen sind nicht gespeichert. Seite verlassen und Änderungen verwerfen?',
    leave: 'Verlassen',
    stay: 'Bleiben',
  },
  query: {
    retry: 'Erneut versuchen',
    failed: 'Laden fehlgeschlagen',
    stale: 'Angezeigt wird der vorherige Stand.',
  },
  web: {
    untitled: 'Web {{id}}',
    missing: 'Es gibt kein Web {{id}}',
    missingHint: 'Vielleicht wurde es inzwischen gelöscht.',
  },
  bulk: {
    progress: '{{done}} von {{count}}',
    failure: '{{fqdn}}: {{reason}}',
    more_one: 'Und ein weiteres.',
    more_other: 'Und {{count}} weitere.',
  },
  copyRefused: 'Der Browser lässt diese Seite die Zwischenablage nicht nutzen.',
  notify: {
    failed: '{{thing}}: fehlgeschlagen',
    close: 'Meldung schließen',
    denied: '„{{screen}}“ dürfen Sie nicht (mehr) sehen',
    deniedHint: 'Dafür fehlt Ihnen eine Berechtigung. Wer die Rollen verwaltet, kann sie Ihnen geben.',
    deniedKept:
      'Dafür fehlt Ihnen eine Berechtigung. Was Sie dort eingegeben hatten, ist aufgehoben: Es steht wieder da, sobald Sie die Ansicht sehen dürfen, solange dieser Tab offen bleibt und Sie kein anderes Formular öffnen.',
  },
}
