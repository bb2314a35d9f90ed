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
  passwordHint:
    'Leer lassen, um das Passwort zu behalten. {{min}} bis {{max}} Zeichen, kein gängiges Passwort.',
  mailSubscription: 'Alarme der Überwachung per E-Mail erhalten',
  created: 'Angelegt',
  updated: 'Geändert',
  roles: 'Rollen',
  save: 'Speichern',
  saved: 'Einstellungen gespeichert',
  language: 'Sprache',
  languages: { en: 'English', de: 'Deutsch' },
  colorScheme: 'Farbschema',
  sessions: {
    title: 'Sitzungen',
    hint: 'Wo Sie angemeldet sind. Ein neues Passwort beendet alle anderen Sitzungen.',
    current: 'diese Sitzung',
    since: 'angemeldet {{time}}',
    seen: 'zuletzt genutzt {{ago}}',
    remembered: 'gültig bis {{time}}',
    unknownBrowser: 'Unbekannter Browser',
    unknownAddress: 'unbekannte Adresse',
    browserOn: '{{browser}} auf {{system}}',
    end: 'Beenden',
    endNamed: 'Sitzung beenden: {{name}}',
    ended: 'Sitzung beendet',
    endOthers: 'Andere Sitzungen abmelden',
    endOthersQuestion_one: 'Ihre andere Sitzung beenden? Nicht gespeicherte Eingaben gehen dort verloren.',
    endOthersQuestion_other:
      'Ihre {{count}} anderen Sitzungen beenden? Nicht gespeicherte Eingaben gehen dort verloren.',
    endOthersYes: 'Abmelden',
    all: 'Alle {{count}} anzeigen',
    othersEnded: 'andere Sitzungen beendet',
  },
}
