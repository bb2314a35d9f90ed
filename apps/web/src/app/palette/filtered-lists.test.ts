import type { Permission, PermissionHolder } from '@kustos/contract/permissions'
import { expect, it } from 'vitest'
import { filteredListsFor } from './filtered-lists.ts'
import { search } from './search.ts'

const now = new Date('2026-11-26T12:00:00Z')
const holder = (...permissions: Permission[]): PermissionHolder => ({
  roles: [{ name: 'staff' }],
  permissions,
})
const admin: PermissionHolder = { roles: [{ name: 'admin' }], permissions: [] }

it.each([
  ['expired', 'certificates'],
  ['abgelaufen', 'certificates'],
  ['eol', 'endOfLife'],
  ['nicht unterstützt', 'endOfLife'],
  ['free support', 'framework'],
  ['down', 'down'],
  ['ausfall', 'down'],
  ['before consent', 'beforeConsent'],
  ['failed', 'failed'],
])('%s finds %s', (query, name) => {
  expect(search(filteredListsFor(admin, now), query, 5).items.map((list) => list.name)).toEqual([name])
})

it('finds only lists that the user may see', () => {
  const names = (...permissions: Permission[]) =>
    filteredListsFor(holder(...permissions), now).map(({ item }) => item.name)
  expect(names()).toEqual([])
  expect(names('view queue')).toEqual(['failed'])
  expect(names('view monitoring web statistic')).toEqual(['down'])
  expect(names('view webs')).toEqual(['certificates', 'framework', 'endOfLife', 'inactive', 'beforeConsent'])
})

it('tells frameworks with paid support from those without any', () => {
  const shown = (query: string) =>
    search(filteredListsFor(admin, now), query, 5).items.map(({ path }) =>
      new URLSearchParams(path.split('?')[1]).get('f.framework_support'),
    )
  expect(shown('frameworks without support')).toEqual(['any-of:ended', 'any-of:extended,ended'])
  expect(shown('frameworks without free support')).toEqual(['any-of:extended,ended'])
})
