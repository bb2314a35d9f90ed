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
    waitSeconds_one: 'Neuer Versuch in {{count}} Sekunde.',
    waitSeconds_other: 'Neuer Versuch in {{count}} Sekunden.',
  },
}
