export const checkMethods = ['GET', 'HEAD'] as const
export type CheckMethod = (typeof checkMethods)[number]

export const maxCheckHeaders = 10
export const maxCheckHosts = 20
/** That of all probes: a round waits no longer for its second probes. */
export const maxCheckSeconds = 10

/** Where a setting comes from. Settings of a web apply before those of its tags, and these before those of its customer. */
export const checkSources = ['web', 'tag', 'customer', 'default'] as const
export type CheckSource = (typeof checkSources)[number]

/** How a web is checked unless somebody has said otherwise. */
export const defaultCheck = {
  path: '/',
  method: 'GET' as CheckMethod,
  /** All below 500 except 401, 403, 404, 410 and 429. */
  statuses: '200-400,402,405-409,411-428,430-499',
  required_text: '',
  forbidden_text: '',
  follows_redirects: false,
  redirect_hosts: [] as readonly string[],
  headers: [] as readonly string[],
  timeout_seconds: maxCheckSeconds,
  slow_ms: 0,
  accepts_empty: false,
  alerts_degraded: false,
}
export type CheckField = keyof typeof defaultCheck
export const checkFields = Object.keys(defaultCheck) as readonly CheckField[]

/** Statuses of a web that responds, but not as visitors need it: degraded unless the check expects them. */
export const degradedStatuses: readonly number[] = [401, 403, 429]
