import type { TFunction } from 'i18next'

/** Where fields of log entries have their labels: the log's own, lists, and trackers that are fields of tracking contracts. */
const sections = [
  'logs.fields',
  'gridLabels.webs.columns',
  'gridLabels.customers.columns',
  'gridLabels.nodes.columns',
  'gridLabels.users.columns',
  'gridLabels.domains.columns',
  'gridLabels.tags.columns',
  'gridLabels.thirdParties.columns',
  'tracking.topics',
]

/** The label of a field of a log entry, whatever that is about; the field itself if unknown. */
export const fieldName = (t: TFunction, field: string): string =>
  t(sections.map((section) => `${section}.${field}`) as ['logs.fields.name'], { defaultValue: field })
