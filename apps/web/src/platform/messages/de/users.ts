import type { users as en } from '../en/users.ts'
import type { Translation } from '../translation.ts'

export const users: Translation<typeof en> = {
  create: 'Anlegen',
  empty: 'Noch keine Benutzer',
  emptyHint: 'Benutzer erscheinen hier, auch gelöschte.',
  actions: {
    edit: 'Bearbeiten',
    show: 'Anzeigen',
    delete: 'Löschen',
    restore: 'Wiederherstellen',
    log: 'Im Log anzeigen',
  },
  showDeleted: 'Gelöschte anzeigen',
  meaning: {
    delete:
      'Die Person wird sofort abgemeldet und kann sich nicht mehr anmelden. Der Benutzer lässt sich wiederherstellen.',
    restore: 'Die Person kann sich mit ihren bisherigen Rollen und ihrem Passwort wieder anmelden.',
  },
  losing: {
    title: 'Eigene Rechte entfernen?',
    text: 'Beim Speichern verlieren Sie sofort eigene Berechtigungen.',
    lost: 'Sie verlieren: {{permissions}}.',
    admin: 'Sie sind dann kein Administrator mehr. Nur ein anderer Administrator kann das rückgängig machen.',
    yes: 'Rechte entfernen',
  },
  done: { created: 'angelegt', saved: 'gespeichert', deleted: 'gelöscht', restored: 'wiederhergestellt' },
  form: {
    back: 'Zurück zur Liste',
    add: 'Benutzer anlegen',
    editing: 'Benutzer {{id}}',
    edit: 'Benutzer {{id}}: {{email}}',
    create: 'Anlegen',
    save: 'Speichern',
    cancel: 'Abbrechen',
    wrong: 'Beim Speichern ist etwas schiefgegangen …',
    sections: {
      person: 'Person',
      personHint: 'Die Anmeldung erfolgt mit der E-Mail.',
      access: 'Zugang',
      accessHint: 'Was die Person sehen und tun darf. Gilt sofort.',
      messages: 'Benachrichtigungen',
    },
    fields: {
      name: 'Name',
      email: 'E-Mail',
      password: 'Passwort',
      roles: 'Rollen',
      monitoring_mail_subscription: 'Alarme der Überwachung per E-Mail',
    },
    hints: {
      email: 'Muss im System eindeutig sein',
      password: '{{min}} bis {{max}} Zeichen, kein gängiges Passwort',
      newPassword:
        'Leer lassen, um das Passwort zu behalten. {{min}} bis {{max}} Zeichen, kein gängiges Passwort.',
      roles: 'Mindestens eine auswählen',
    },
    noMatch: 'Keine Treffer',
    clear: 'Leeren',
    beyond: 'Das können Sie nicht vergeben: {{permissions}}',
    beyondAdmin: 'Nur Administratoren können diese Rolle vergeben',
    holdsMore: 'Sie können diese Person nicht bearbeiten, weil sie mehr Berechtigungen hat als Sie.',
    deleted: 'Diese Person ist gelöscht und kann sich nicht anmelden.',
  },
  facts: { title: 'Konto', state: 'Zustand', created: 'Angelegt', changed: 'Geändert', you: 'Sie selbst' },
  states: { active: 'aktiv', deleted: 'gelöscht' },
  log: {
    about: 'Änderungen an dieser Person',
    aboutNone: 'Noch keine Änderungen.',
    by: 'Aktivität',
    byNone: 'Noch keine Aktivität.',
  },
  missing: {
    title: 'Benutzer {{id}} gibt es nicht',
    hint: 'Prüfen Sie die Adresse.',
    toList: 'Zurück zur Liste',
  },
}
