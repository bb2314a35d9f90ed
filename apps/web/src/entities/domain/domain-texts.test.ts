import { externalDomainColumns } from '@kustos/contract/external-domains'
import { createQueryEngine, emptyQuery, labelGrid } from '@kustos/contract/grid'
import i18next from 'i18next'
import { beforeAll, expect, it } from 'vitest'
import * as german from '../../platform/messages/de/index.ts'
import { domainTexts } from './domain-texts.ts'

beforeAll(async () => {
  const resources = { de: { translation: german } }
  await i18next.init({ lng: 'de', resources, interpolation: { escapeValue: false } })
})

it('lets the lists of domains find a failed check by what they show', () => {
  const checked = { check_error_params: null, id: 1, customer: 'ALPEN', fqdn: 'alpen.test', mname: null }
  const rest = { status: null, domainprovider: 'Tirolnet', created_at: '', updated_at: '', checked_at: null }
  const watched = { expires_at: null, expiry_source: null, mail_state: null }
  const row = {
    ...checked,
    ...rest,
    ...watched,
    check_error: 'No name server responded in time.',
    check_error_code: 'dns_timeout',
  }
  const { columns } = labelGrid(externalDomainColumns, { columns: {} }, 'de')
  const shown = columns.map((column) => ({ ...column, value: domainTexts[column.key] ?? column.value }))
  const engine = createQueryEngine([row], shown)
  const find = (search: string) => engine.query({ ...emptyQuery, search }, shown)
  expect(find('antwortete rechtzeitig')).toEqual([row])
  expect(find('responded in time')).toEqual([])
})
