import { createQueryEngine, gridStateFromQuery, labelGrid } from '@kustos/contract/grid'
import { type MonitoredWeb, monitoredWebColumns, watchState } from '@kustos/contract/monitoring'
import { expect, it } from 'vitest'
import { gridLabels } from '../../platform/messages/en/grid-labels.ts'
import { downWebsPath } from './paths.ts'

const since = '2026-11-20T12:00:00.000Z'
const web = (facts: Partial<MonitoredWeb>): MonitoredWeb => ({
  id: 1,
  fqdn: 'alpenhof.test',
  sysuser: null,
  node: null,
  customer: 'ALPEN',
  http_status_code: 200,
  comment: null,
  monitoring_web_active: 1,
  response_time_ms: 90,
  probed_at: since,
  down_since: null,
  down_reason: null,
  down_reason_code: null,
  down_reason_params: null,
  degraded_since: null,
  degraded_reason: null,
  degraded_reason_code: null,
  degraded_reason_params: null,
  maintenance_until: null,
  ...facts,
})

it.each([
  ['down', { down_since: since }],
  ['down', { down_since: since, probed_at: null }],
  ['up', {}],
  ['degraded', { degraded_since: since }],
  ['down', { degraded_since: since, down_since: since }],
  ['unwatched', { monitoring_web_active: 0, down_since: since }],
  ['unknown', { probed_at: null }],
] as const)('a web is %s with %j', (state, facts) => {
  expect(watchState(web(facts))).toBe(state)
})

it('links the count of down webs to a list of exactly those webs', () => {
  const webs = [web({ id: 1 }), web({ id: 2, down_since: since }), web({ id: 3, probed_at: null })]
  const { columns } = labelGrid(monitoredWebColumns, gridLabels.uptime, 'en')
  const state = gridStateFromQuery([...new URL(downWebsPath, 'http://x').searchParams], monitoredWebColumns)
  expect(createQueryEngine(webs, columns).query(state, columns)).toEqual([webs[1]])
})
