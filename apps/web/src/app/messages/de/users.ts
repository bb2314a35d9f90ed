import type { users as en } from '../en/users.ts'
import type { Translation } from '../translation.ts'

export const users: Translation<typeof en> = {
  create: 'Anlegen',
  empty: 'Es gibt noch keine Benutzer',
  emptyHint: 'Angelegte Benutzer stehen hier, auch gelöschte.',
  actions: {
    edit: 'Bearbeiten',
    show: 'Zeigen',
    delete: 'Löschen',
    restore: 'Wiederherstellen',
    log: 'Im Log zeigen',
  },
  showDeleted: 'Gelöschte zeigen',
  meaning: {
    delete:
      'Die Person wird sofort abgemeldet und kann sich nicht mehr anmelden. Sie lässt sich wiederherstellen.',
    restore: 'Die Person kann sich wieder anmelden, mit Rollen und Passwort von vorher.',
  },
  losing: {
    title: 'Sie nehmen sich selbst etwas',
    text: 'Mit diesen Rollen dürfen Sie weniger als jetzt, ab dem nächsten Klick.',
    lost: 'Sie verlieren: {{permissions}}.',
    admin: 'Sie sind dann kein admin mehr. Nur ein anderer kann Sie wieder dazu machen.',
    yes: 'Mir nehmen',
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
      personHint: 'Um wen es geht. Mit der E-Mail meldet man sich an.',
      access: 'Zugang',
      accessHint: 'Was die Person sehen und tun darf. Es gilt ab dem nächsten Klick.',
      messages: 'Nachrichten',
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
      password: '{{min}} bis {{max}} Zeichen, und keines der gängigen Passwörter',
      newPassword: 'Wird nur geändert, wenn eines eingegeben ist: {{min}} bis {{max}} Zeichen, kein gängiges',
      roles: 'Mindestens eine',
    },
    noMatch: 'Nichts passt',
    clear: 'Leeren',
    beyond: 'Dürfen Sie nicht vergeben: {{permissions}}',
    beyondAdmin: 'Diese Rolle vergibt nur, wer sie hat',
    holdsMore: 'Diese Person darf mehr als Sie; Sie können sie nicht ändern.',
    deleted: 'Diese Person ist gelöscht und kann sich nicht anmelden.',
  },
  facts: { title: 'Konto', state: 'Zustand', created: 'Angelegt', changed: 'Geändert', you: 'Sie selbst' },
  states: { active: 'aktiv', deleted: 'gelöscht' },
  log: {
    about: 'Was mit dieser Person geschah',
    aboutNone: 'Mit dieser Person ist nichts geschehen.',
    by: 'Was diese Person tat',
    byNone: 'Diese Person hat noch nichts getan.',
  },
  missing: {
    title: 'Es gibt keinen Benutzer {{id}}',
    hint: 'Vielleicht ist die Adresse vertippt.',
    toList: 'Zur Liste',
  },
}
