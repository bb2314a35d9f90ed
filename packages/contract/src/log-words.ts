import type { DeploymentKind } from './deployment/index.ts'

/** What stands under `by` among the attributes of entries that nobody signed in has caused, but somebody at a terminal. */
export const commandLine = 'command line'

/** The features that write into the log; what older releases wrote may have other names. */
export const logNames = [
  'auth',
  'users',
  'roles',
  'webs',
  'deployment',
  'tracking',
  'external-domains',
  'limitis',
  'imports',
  'backups',
] as const
export type LogName = (typeof logNames)[number]

/** What entries say that happened, and the same in German; nothing else can be written. */
const happened = {
  created: 'angelegt',
  updated: 'geändert',
  'updated, with a new password': 'geändert, mit neuem Passwort',
  deleted: 'gelöscht',
  restored: 'wiederhergestellt',
  exported: 'exportiert',
  refreshed: 'aktualisiert',
  'refresh requested': 'Aktualisierung angefordert',
  'audit requested': 'Audit angefordert',
  'signed in': 'angemeldet',
  'signed out': 'abgemeldet',
  'session ended': 'Sitzung beendet',
  'other sessions ended': 'andere Sitzungen beendet',
  'sign-in refused': 'Anmeldung abgelehnt',
  'further sign-ins refused': 'weitere Anmeldungen abgelehnt',
  denied: 'verweigert',
  'further calls denied': 'weitere Aufrufe verweigert',
  synced: 'abgeglichen',
  'removals confirmed': 'Entfernen bestätigt',
  'backup written': 'Sicherung geschrieben',
  'backup restored': 'Sicherung eingespielt',
  imported: 'importiert',
  'imported again': 'erneut importiert',
  'nodes imported': 'Nodes importiert',
  'categories imported': 'Kategorien importiert',
  'webs imported': 'Webs importiert',
  'roles imported': 'Rollen importiert',
  'users imported': 'Benutzer importiert',
  'external-domains imported': 'externe Domains importiert',
  'domains imported': 'Domains importiert',
  'emails imported': 'E-Mails importiert',
  'uptime imported': 'Verfügbarkeit importiert',
} as const

/** What becomes of deployments, whose kinds stand before it. */
const deploymentHappened = {
  requested: 'angefordert',
  retried: 'wiederholt',
  succeeded: 'gelungen',
  failed: 'fehlgeschlagen',
  cancelled: 'abgebrochen',
} as const

export type LogDescription = keyof typeof happened | `${DeploymentKind} ${keyof typeof deploymentHappened}`

/** A description in the console's language; one that older releases wrote stays as it is. */
export function describedIn(language: string, description: string): string {
  if (language !== 'de') return description
  const known = inGerman(happened, description)
  if (known !== undefined) return known
  const [kind = '', what = '', ...more] = description.split(' ')
  const outcome = more.length === 0 ? inGerman(deploymentHappened, what) : undefined
  return outcome === undefined ? description : `${kind} ${outcome}`
}

const inGerman = (words: Readonly<Record<string, string>>, english: string): string | undefined =>
  Object.hasOwn(words, english) ? words[english] : undefined
