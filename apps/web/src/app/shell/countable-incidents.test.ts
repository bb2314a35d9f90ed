import { type IncidentEntry, incidentColumns } from '@kustos/contract/incidents'
import type { View } from '@kustos/contract/views'
import i18next from 'i18next'
import { beforeAll, expect, it } from 'vitest'
import { incidentLimits } from '../../features/incidents/limits.ts'
import * as en from '../../platform/messages/en/index.ts'
import { countRows } from './count-rows.ts'
import { countableIncidents } from './countable-incidents.ts'

beforeAll(async () => {
  await i18next.init({ lng: 'en', resources: { en: { translation: en } } })
})

const incident = (fields: Partial<IncidentEntry>) => ({
  web: { id: 1, fqdn: 'alpen.test' },
  node: 'n1',
  members: 1,
  customers: [],
  started_at: '2026-11-01T00:00:00.000Z',
  ended_at: null,
  acknowledged_at: null,
  reason: 'timeout',
  reason_code: null,
  ...fields,
})
const open = incident({})
const ended = incident({ ended_at: '2026-11-01T01:00:00.000Z' })
const outage = incident({ web: null, members: 4 })
const manyEnded = Array.from({ length: incidentLimits.first }, () => ended)

it.each([
  ['', [open, ended], 2],
  ['f.state=any-of:open', [open, outage, ended], 2],
  ['f.subject=contains:4 webs', [open, outage], 1],
  // There are ended ones that the browser does not have.
  ['', [open, ...manyEnded], null],
  ['f.subject=contains:alpen', [open, ...manyEnded], null],
  ['f.state=any-of:open,ended', [open, ...manyEnded], null],
  ['f.state=any-of:open,acknowledged', [open, ...manyEnded], 1],
  ['f.state=none-of:ended&f.subject=contains:nobody', [open, ...manyEnded], 0],
])('counts the incidents of the view "%s"', (query, data, count) => {
  const view = { list: 'incidents', query, column_order: [], column_widths: {} } as unknown as View
  const rows = countableIncidents(data as unknown as IncidentEntry[], view)
  expect(rows && countRows(view, incidentColumns, rows)).toBe(count)
})
