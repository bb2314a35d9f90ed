import { type IncidentEntry, incidentColumns } from '@kustos/contract/incidents'
import type { View } from '@kustos/contract/views'
import i18next from 'i18next'
import { incidentReason, incidentTitle } from '../../features/incidents/incident-title.ts'
import { incidentLimits } from '../../features/incidents/limits.ts'
import { countRows } from './count-rows.ts'

/** @returns the listed incidents with their texts on screen; null if the view may show others, too */
export const countableIncidents = (
  incidents: readonly IncidentEntry[],
  view: View,
): readonly IncidentEntry[] | null => (hasAllIncidents(incidents, view) ? incidents.map(withTexts) : null)

/** Whether the server has listed all incidents that a view may show. It never lists all ended ones, which many views leave out. */
function hasAllIncidents(incidents: readonly IncidentEntry[], view: View): boolean {
  const ended = incidents.filter(({ ended_at }) => ended_at !== null)
  if (incidents.length - ended.length >= incidentLimits.first) return false
  if (ended.length < incidentLimits.first) return true
  const ofState = [...new URLSearchParams(view.query)].filter(
    ([key]) => key === 'f.state' || key === 'j.state',
  )
  return countRows({ ...view, query: new URLSearchParams(ofState).toString() }, incidentColumns, ended) === 0
}

/** With the texts that the list's screen searches and filters. */
const withTexts = (entry: IncidentEntry): IncidentEntry => ({
  ...entry,
  web: entry.web ?? { id: entry.id, fqdn: incidentTitle(i18next.t, entry) },
  reason: incidentReason(i18next.t, entry),
})
