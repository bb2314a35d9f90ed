/** The types of subjects that entries have. */
export const subjectTypes = [
  'web',
  'user',
  'role',
  'deployment',
  'external_domain',
  'domain',
  'batch',
  'customer',
  'node',
  'tag',
  'third_party',
  'tracking_policy',
  'maintenance_window',
  'alert_channel',
  'alert_route',
  'alert_route_order',
  'rota',
  'view',
  'incident',
] as const

/** Times until now, in days of Europe/Rome: since midnight, since Monday, since midnight 30 days ago. */
export const logPeriods = ['today', 'week', '30days'] as const
export type LogPeriod = (typeof logPeriods)[number]

/** How what an entry describes has ended. Entries of changes have no result: only what succeeded is in the log. */
export const logResults = ['succeeded', 'failed', 'cancelled', 'refused'] as const
export type LogResult = (typeof logResults)[number]

/** The value of `without` that excludes `signInEvents`. */
export const signInsName = 'sign-ins'

/** The parameters of the log's address that filter it, with the names that the API has for them. */
export const logFilterNames = [
  'search',
  'causer',
  'log',
  'action',
  'result',
  'subject_type',
  'subject_id',
  'customer',
  'field',
  'within',
  'from',
  'to',
] as const
export type LogFilterName = (typeof logFilterNames)[number]
