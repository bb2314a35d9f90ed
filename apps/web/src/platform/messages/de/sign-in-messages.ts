import type { signInMessages as english } from '@kustos/contract/messages/sign-in'

/** The messages that the login screen shows. */
export const signInMessages: Readonly<Record<keyof typeof english, string>> = {
  credentials_not_valid: 'Zugangsdaten ungültig! Versuchen Sie es noch einmal …',
  email_required: 'Die E-Mail ist erforderlich',
  email_invalid: 'Die E-Mail muss gültig sein',
  password_required: 'Das Passwort ist erforderlich',
  too_many_attempts: 'Zu viele Versuche.',
  server_error: 'Fehler des Servers',
}
