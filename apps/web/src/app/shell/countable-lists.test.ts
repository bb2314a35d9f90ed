import { attentionRoutes } from '@kustos/contract/attention'
import { externalDomainsRoutes } from '@kustos/contract/external-domains'
import { type IncidentEntry, incidentColumns } from '@kustos/contract/incidents'
import type { View } from '@kustos/contract/views'
import { websRoutes } from '@kustos/contract/webs'
import i18next from 'i18next'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { incidentLimits } from '../../features/incidents/limits.ts'
import * as de from '../../platform/messages/de/index.ts'
import * as en from '../../platform/messages/en/index.ts'
import { countRows } from './count-rows.ts'
import { countableIncidents } from './countable-incidents.ts'

let countableList: typeof import('./countable-lists.ts').countableList
let violationsInput: typeof import('../../features/tracking/use-violations.ts').violationsInput
let query: typeof import('../../platform/query.ts')

beforeAll(async () => {
  // The part of a browser that the modules use.
  vi.stubGlobal('addEventListener', () => {})
  ;({ countableList } = await import('./countable-lists.ts'))
  ;({ violationsInput } = await import('../../features/tracking/use-violations.ts'))
  query = await import('../../platform/query.ts')
  await i18next.init({ lng: 'en', resources: { en: { translation: en } } })
})
afterAll(() => {
  query.queryClient.clear()
  vi.unstubAllGlobals()
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

it.each([
  ['', 3],
  ['before_consent=1', 1],
  ['before_consent=1&f.fqdn=contains:berg', 0],
  // As the list shows it, also what was seen only after a refusal.
  ['f.before_consent=any-of:Matomo (after refusal or withdrawal)', 1],
  ['q=matomo', 1],
  ['f.before_consent=empty:', 2],
])('counts the webs of the tracking view "%s"', async (search, count) => {
  const { keyOf, queryClient } = query
  const web = (id: number, fqdn: string) => ({ id, fqdn, status: 0, domain_status: 1, tracking_data: null })
  const data = [web(1, 'alpen.test'), web(2, 'berg.test'), web(3, 'tal.test')]
  queryClient.setQueryData(keyOf(websRoutes.listWebs, { query: { tracking: '1' } }), {
    data,
    internal_marker: '',
  })
  queryClient.setQueryData(keyOf(attentionRoutes.listAttention, violationsInput), {
    data: [{ web_id: 1, subject_id: 1, services: ['matomo'] }],
  })
  const view = { list: 'tracking', query: search, column_order: [], column_widths: {} } as unknown as View
  const list = countableList(view)
  if (list === undefined) throw new Error('The list is not counted')
  const { queryKey, queryFn } = list
  expect(list.count(await queryClient.fetchQuery({ queryKey, queryFn }), view)).toBe(count)
})

it('counts domains by the sentences that their list shows', async () => {
  const { keyOf, queryClient } = query
  i18next.addResourceBundle('de', 'translation', de)
  await i18next.changeLanguage('de')
  onTestFinished(async () => {
    await i18next.changeLanguage('en')
  })
  const failure = { check_error: 'No name server responded in time.', check_error_code: 'dns_timeout' }
  queryClient.setQueryData(keyOf(externalDomainsRoutes.listExternalDomains), [
    { id: 1, fqdn: 'alpen.test', ...failure, check_error_params: null },
    { id: 2, fqdn: 'berg.test', check_error: null, check_error_code: null, check_error_params: null },
  ])
  const count = (search: string) => {
    const view = { list: 'external-domains', query: search, column_order: [], column_widths: {} }
    const list = countableList(view as unknown as View)
    return list?.count(
      queryClient.getQueryData(keyOf(externalDomainsRoutes.listExternalDomains)),
      view as unknown as View,
    )
  }
  expect(count('f.check_error=contains:Kein Nameserver')).toBe(1)
  expect(count('f.check_error=contains:No name server')).toBe(0)
})
