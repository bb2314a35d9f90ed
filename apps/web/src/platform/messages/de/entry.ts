import type { entry as en } from '../en/entry.ts'
import type { Translation } from '../translation.ts'
import { signInMessages } from './sign-in-messages.ts'

export const entry: Translation<typeof en> = {
  messages: {
    ...signInMessages,
    offline: 'Sie sind offline. Prüfen Sie die Verbindung und versuchen Sie es erneut.',
    unreachable: 'Der Server ist nicht erreichbar.',
  },
  app: { title: 'Kustos' },
  login: {
    title: 'Anmelden',
    email: 'E-Mail',
    password: 'Passwort',
    remember: 'Angemeldet bleiben',
    showPassword: 'Passwort anzeigen',
    submit: 'Anmelden',
    ended: 'Ihre Sitzung ist abgelaufen. Melden Sie sich an, um weiterzuarbeiten.',
    waitSeconds_one: 'Neuer Versuch in {{count}} Sekunde.',
    waitSeconds_other: 'Neuer Versuch in {{count}} Sekunden.',
  },
  crash: {
    failed: {
      title: 'Etwas ist schiefgegangen',
      text: 'Laden Sie die Seite neu. Tritt der Fehler wieder auf, wenden Sie sich an die Administration.',
    },
    newVersion: {
      title: 'Es gibt eine neue Version von Kustos',
      text: 'Diese Ansicht konnte nicht geladen werden. Laden Sie die Seite neu, um die neue Version zu erhalten.',
    },
    unreachable: {
      title: 'Diese Ansicht konnte nicht geladen werden',
      text: 'Der Server ist nicht erreichbar. Prüfen Sie die Verbindung und laden Sie die Seite neu.',
    },
    reload: 'Neu laden',
  },
}
