/** What an alert is about: of several webs of a node, of one web, or of its certificate. The end of an incident follows its begin. */
export const alertSeverities = ['outage', 'down', 'flapping', 'moved', 'degraded', 'certificate'] as const
export type AlertSeverity = (typeof alertSeverities)[number]

export const maxRoutes = 200
export const maxSteps = 10
/** Between two steps: a week. */
export const maxStepMinutes = 7 * 24 * 60

export const alertRoutesPath = '/monitoring/alert-routes'
