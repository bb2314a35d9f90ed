import type { IncidentEntry } from '@kustos/contract/incidents'
import type { TFunction } from 'i18next'

/** Names an incident: its web, or the node whose webs went down together. */
export const incidentTitle = (
  t: TFunction,
  { web, node, members }: Pick<IncidentEntry, 'web' | 'node' | 'members'>,
): string => web?.fqdn ?? t('incidents.ofNode', { node: node ?? '–', count: members })
