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
  passwordHint: 'Wird nur geändert, wenn eines eingegeben ist: {{min}} bis {{max}} Zeichen, kein gängiges',
  mailSubscription: 'Alarme der Überwachung per E-Mail an mich senden',
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
    hint: 'Wo Sie angemeldet sind. Ein neues Passwort beendet alle Sitzungen außer dieser.',
    current: 'diese Sitzung',
    since: 'angemeldet {{time}}',
    seen: 'zuletzt genutzt {{ago}}',
    remembered: 'gemerkt bis {{time}}',
    unknownBrowser: 'Unbekannter Browser',
    unknownAddress: 'unbekannte Adresse',
    browserOn: '{{browser}} auf {{system}}',
    end: 'Beenden',
    endNamed: 'Die Sitzung von {{name}} beenden',
    ended: 'Sitzung beendet',
    endOthers: 'Überall sonst abmelden',
    endOthersQuestion_one:
      'Ihre andere Sitzung beenden? Was dort eingegeben und nicht gespeichert ist, kann verloren gehen.',
    endOthersQuestion_other:
      'Ihre {{count}} anderen Sitzungen beenden? Was dort eingegeben und nicht gespeichert ist, kann verloren gehen.',
    endOthersYes: 'Abmelden',
    all: 'Alle {{count}} zeigen',
    othersEnded: 'alle anderen beendet',
  },
}
