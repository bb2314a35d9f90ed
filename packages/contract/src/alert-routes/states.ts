/**
 * What an alert is about: several webs of a node, one web, its certificate, changed DNS records, the registration of a domain that
 * ends, or a web's tracking. An incident's end takes the routes of its beginning.
 */
export const alertSeverities = [
  'outage',
  'down',
  'flapping',
  'moved',
  'degraded',
  'certificate',
  'dns',
  'domain',
  'tracking',
] as const
export type AlertSeverity = (typeof alertSeverities)[number]

export const maxRoutes = 200
export const maxSteps = 10
/** Between two steps: a week. */
export const maxStepMinutes = 7 * 24 * 60

export const alertRoutesPath = '/monitoring/alert-routes'

/** Alerts that are no incidents. Nobody acknowledges them, so only the first step of a route counts. */
export const warningSeverities = [
  'degraded',
  'certificate',
  'dns',
  'domain',
  'tracking',
] as const satisfies readonly AlertSeverity[]
export type WarningSeverity = (typeof warningSeverities)[number]
export const isWarning = (severity: AlertSeverity): severity is WarningSeverity =>
  warningSeverities.some((warning) => warning === severity)
