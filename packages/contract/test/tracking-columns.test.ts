import { createQueryEngine, initialGridState, labelGrid } from '@kustos/contract/grid'
import {
  listServices,
  nothingFound,
  trackingColumnsAt,
  trackingFreshnessSeconds,
  type Web,
} from '@kustos/contract/webs'
import { labels } from '@kustos/contract/webs/labels'
import { expect, it } from 'vitest'

const now = 1_800_000_000
const entry = (id: string, age: number) => ({ id, domain: 'a.test', timestamp: now - age })
const web = (id: number, matomo: readonly ReturnType<typeof entry>[]) =>
  ({
    id,
    fqdn: `${id}.test`,
    customer: 'A',
    metadata: { topics: [] },
    tracking_data: {
      ...nothingFound,
      tracking_services: { ...nothingFound.tracking_services, matomo: [...matomo] },
    },
  }) as unknown as Web
const webs = [
  web(1, [entry('7', 60)]),
  web(2, [entry('8', trackingFreshnessSeconds), entry('9', trackingFreshnessSeconds + 1)]),
  web(3, []),
]

it('separates stale ids from current ones', () => {
  const cells = (key: string, at = now) => {
    const column = trackingColumnsAt(at).columns.find((one) => one.key === key)
    return webs.map((row) => column?.value(row))
  }
  expect(cells('matomo')).toEqual([['7'], ['8'], []])
  expect(cells('matomo_stale')).toEqual([[], ['9'], []])
  expect(cells('matomo_stale', now + 1)).toEqual([[], ['8', '9'], []])
  expect(cells('matomo', now + 2 * trackingFreshnessSeconds)).toEqual([[], [], []])
})

it('filters by stale ids', () => {
  const { columns } = labelGrid(trackingColumnsAt(now), labels.tracking, 'en')
  const conditions = [{ operator: 'not-empty' as const, values: [] }]
  const filters = [{ column: 'matomo_stale', join: 'all' as const, conditions }]
  const found = createQueryEngine(webs, columns).query({ ...initialGridState, filters }, columns)
  expect(found.map(({ id }) => id)).toEqual([2])
})

it('a service without consent that is not there before it was seen later', () => {
  const list = (before: string[], all: readonly string[]) => {
    const web = { tracking_data: { before_consent: before } } as unknown as Web
    return listServices(web, { servicesOf: () => all, nameLater: (name) => `${name} later` })
  }
  expect(list(['Hotjar'], ['Facebook Ads', 'Hotjar'])).toEqual(['Hotjar', 'Facebook Ads later'])
  expect(list(['Hotjar', 'a.test'], ['Hotjar'])).toEqual(['Hotjar', 'a.test'])
})
