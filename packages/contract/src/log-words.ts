import type { DeploymentKind } from './deployment/index.ts'

/** The attribute `by` of entries from the command line. */
export const commandLine = 'command line'

/** The features that write log entries; older releases may have used other names. */
export const logNames = [
  'attention',
  'auth',
  'users',
  'roles',
  'webs',
  'nodes',
  'customers',
  'tags',
  'checks',
  'maintenance',
  'alert-channels',
  'alert-routes',
  'rotas',
  'deployment',
  'batches',
  'tracking',
  'third-parties',
  'external-domains',
  'domains',
  'limitis',
  'imports',
  'backups',
  'views',
  'incidents',
  'audit-log',
] as const
export type LogName = (typeof logNames)[number]

export const deploymentOutcomes = ['requested', 'retried', 'succeeded', 'failed', 'cancelled'] as const
export type DeploymentOutcome = (typeof deploymentOutcomes)[number]

/** Descriptions of entries about anything but deployments, as they are stored. */
export const logEvents = [
  'created',
  'updated',
  'updated, with a new password',
  'deleted',
  'restored',
  'merged',
  'check changed',
  'contract changed',
  'difference allowed',
  'exception ended',
  'drift confirmed',
  'drift ended',
  'ended',
  'exported',
  'retried',
  'cancelled',
  'preference changed',
  'refreshed',
  'refresh requested',
  'audit requested',
  'connection test requested',
  'test message requested',
  'discovery requested',
  'signed in',
  'signed out',
  'session ended',
  'other sessions ended',
  'all sessions ended',
  'password confirmed',
  'e-mail change requested',
  'e-mail change cancelled',
  'password refused',
  'sign-in refused',
  'further sign-ins refused',
  'denied',
  'further calls denied',
  'acknowledged',
  'acknowledgement withdrawn',
  'assigned',
  'assignment withdrawn',
  'snoozed',
  'snooze ended',
  'escalated',
  'override added',
  'override deleted',
  'commented',
  'post-mortem written',
  'deployment linked',
  'deployment unlinked',
  'dns changed',
  'synced',
  'removals confirmed',
  'backup written',
  'backup restored',
  'archived',
  'imported',
  'imported again',
  'nodes imported',
  'categories imported',
  'webs imported',
  'roles imported',
  'users imported',
  'external-domains imported',
  'domains imported',
  'emails imported',
  'uptime imported',
] as const
export type LogEvent = (typeof logEvents)[number]

/** Entries of the log `auth` that follow from using the console, and tell nothing about a change. */
export const signInEvents: readonly LogEvent[] = ['signed in', 'signed out', 'password confirmed']

/** Entries of what was not allowed. */
export const refusalEvents: readonly LogEvent[] = [
  'password refused',
  'sign-in refused',
  'further sign-ins refused',
  'denied',
  'further calls denied',
]

export type LogDescription = LogEvent | `${DeploymentKind} ${DeploymentOutcome}`
