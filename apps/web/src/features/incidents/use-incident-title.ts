import type { IncidentEntry } from '@kustos/contract/incidents'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { incidentTitle } from './incident-title.ts'

/** `incidentTitle` in the user's language. */
export function useIncidentTitle() {
  const { t } = useTranslation()
  return useCallback((entry: Pick<IncidentEntry, 'web' | 'node' | 'members'>) => incidentTitle(t, entry), [t])
}
