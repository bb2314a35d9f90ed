/** What an alert is about: of several webs of a node, of one web, of its certificate, or of its tracking. The end of an incident follows its begin. */
export const alertSeverities = [
  'outage',
  'down',
  'flapping',
  'moved',
  'degraded',
  'certificate',
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
  'tracking',
] as const satisfies readonly AlertSeverity[]
export type WarningSeverity = (typeof warningSeverities)[number]
export const isWarning = (severity: AlertSeverity): severity is WarningSeverity =>
  warningSeverities.some((warning) => warning === severity)
