import type { settings as en } from '../en/settings.ts'
import type { Translation } from '../translation.ts'

export const settings: Translation<typeof en> = {
  ownData: 'Eigene Daten',
  account: 'Konto',
  console: 'Dieser Browser',
  name: 'Name',
  email: 'E-Mail',
  emailHint: 'Muss im System eindeutig sein',
  password: 'Passwort',
  passwordHint: 'Wird nur geändert, wenn eines eingegeben ist; mindestens {{min}} Zeichen',
  mailSubscription: 'Alarme der Überwachung per E-Mail an mich senden',
  created: 'Angelegt',
  updated: 'Geändert',
  roles: 'Rollen',
  save: 'Speichern',
  saved: 'Einstellungen gespeichert',
  language: 'Sprache',
  languages: { en: 'English', de: 'Deutsch' },
  colorScheme: 'Farbschema',
}
