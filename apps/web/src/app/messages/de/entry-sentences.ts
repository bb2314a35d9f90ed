import { unreachable } from '../../api-error.ts'

/** Those of `sentences.ts` that the login screen shows. */
export const entrySentences: Readonly<Record<string, string>> = {
  'Credentials not valid! Try again...': 'Zugangsdaten ungültig! Versuchen Sie es noch einmal …',
  'E-Mail is required': 'Die E-Mail ist erforderlich',
  'E-Mail must be valid': 'Die E-Mail muss gültig sein',
  'Password is required': 'Das Passwort ist erforderlich',
  'Too Many Attempts.': 'Zu viele Versuche.',
  'Server Error': 'Fehler des Servers',
  [unreachable]: 'Der Server ist nicht erreichbar.',
}
