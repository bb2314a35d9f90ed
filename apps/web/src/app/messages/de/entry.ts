import type { entry as en } from '../en/entry.ts'
import type { Translation } from '../translation.ts'

export const entry: Translation<typeof en> = {
  app: { title: 'Kustos' },
  login: {
    title: 'Anmelden',
    email: 'E-Mail',
    password: 'Passwort',
    remember: 'Angemeldet bleiben',
    showPassword: 'Passwort anzeigen',
    submit: 'Anmelden',
    ended: 'Ihre Sitzung ist zu Ende. Melden Sie sich an, um dort weiterzumachen, wo Sie waren.',
    waitSeconds_one: 'Neuer Versuch in {{count}} Sekunde.',
    waitSeconds_other: 'Neuer Versuch in {{count}} Sekunden.',
  },
  crash: {
    title: 'Diese Ansicht kann nicht gezeigt werden',
    text: 'Laden Sie die Seite neu. Tritt der Fehler wieder auf, melden Sie ihn der Administration.',
    reload: 'Neu laden',
  },
}
