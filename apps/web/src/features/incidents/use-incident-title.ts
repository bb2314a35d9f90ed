import type { IncidentEntry } from '@kustos/contract/incidents'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

/** Names an incident: its web, or the node whose webs went down together. */
export function useIncidentTitle() {
  const { t } = useTranslation()
  return useCallback(
    ({ web, node, members }: Pick<IncidentEntry, 'web' | 'node' | 'members'>): string =>
      web?.fqdn ?? t('incidents.ofNode', { node: node ?? '–', count: members }),
    [t],
  )
}
