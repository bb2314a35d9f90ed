import type { IncidentEntry } from '@kustos/contract/incidents'
import type { TFunction } from 'i18next'
import { storedText } from '../../platform/message-text.ts'

/** Names an incident: its web, or the node whose webs went down together. */
export const incidentTitle = (
  t: TFunction,
  { web, node, members }: Pick<IncidentEntry, 'web' | 'node' | 'members'>,
): string => web?.fqdn ?? t('incidents.ofNode', { node: node ?? '–', count: members })

/** Why a web is down, and whether it flaps, which its column does not show by default. */
export function incidentReason(t: TFunction, entry: IncidentEntry): string {
  const reason = storedText(entry.reason, entry.reason_code, entry.reason_params)
  return entry.kind === 'flapping' ? `${t('gridLabels.incidents.options.kind.flapping')}: ${reason}` : reason
}
