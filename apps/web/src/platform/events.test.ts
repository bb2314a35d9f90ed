import { incidentsRoutes } from '@kustos/contract/incidents'
import { monitoringRoutes } from '@kustos/contract/monitoring'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

let events: typeof import('./events.ts')
let query: typeof import('./query.ts')

beforeAll(async () => {
  // The part of a browser that the modules use.
  vi.stubGlobal('addEventListener', () => {})
  events = await import('./events.ts')
  query = await import('./query.ts')
})
afterAll(() => vi.unstubAllGlobals())

it('refreshes open incidents with each round, which extends, announces and groups them', () => {
  const { listIncidentEntries, readIncident, readIncidentTimeline } = incidentsRoutes
  const shown = [monitoringRoutes.listIncidents, listIncidentEntries, readIncident, readIncidentTimeline]
  expect(events.staleAfter.probe_rounds()).toEqual(
    expect.arrayContaining(shown.map((route) => query.keyOf(route))),
  )
})
