import { listAttention } from '@kustos/contract/attention'
import { incidentsRoutes } from '@kustos/contract/incidents'

/** What shows who has an incident. */
export const staleRoutes = [
  incidentsRoutes.readIncident,
  incidentsRoutes.listIncidentEntries,
  incidentsRoutes.readIncidentTimeline,
  listAttention,
] as const
