import { checksRoutes } from '@kustos/contract/checks'
import { customersRoutes } from '@kustos/contract/customers'
import { incidentsRoutes } from '@kustos/contract/incidents'
import { monitoringRoutes } from '@kustos/contract/monitoring'
import { nodesRoutes } from '@kustos/contract/nodes'
import type { Route } from '@kustos/contract/route'
import { trackingContractsRoutes } from '@kustos/contract/tracking-contracts'
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

it('refreshes what is compared with a tracking contract, how webs are checked, and timelines', () => {
  const { readTrackingDrift, readCustomerContract, readWebContract } = trackingContractsRoutes
  const { readWebCheck, readCustomerCheck, readTagCheck } = checksRoutes
  const keysOf = (...routes: readonly Route[]) =>
    expect.arrayContaining(routes.map((one) => query.keyOf(one)))
  const timelines = keysOf(customersRoutes.readTimeline, nodesRoutes.readNodeTimeline)
  const { inspections, attention, checks, tracking_contracts, logs, deployments, incidents } =
    events.staleAfter
  expect(inspections()).toEqual(keysOf(readTrackingDrift, readCustomerContract))
  expect(attention()).toEqual(keysOf(readTrackingDrift, readCustomerContract))
  expect(logs()).toEqual(keysOf(readTrackingDrift, readCustomerContract, readWebContract))
  expect(logs()).toEqual(keysOf(readWebCheck, readCustomerCheck, readTagCheck))
  expect(tracking_contracts()).toEqual(keysOf(readTrackingDrift, readCustomerContract, readWebContract))
  expect(checks()).toEqual(keysOf(readWebCheck, readCustomerCheck, readTagCheck))
  for (const list of [logs, deployments, incidents]) expect(list()).toEqual(timelines)
})
