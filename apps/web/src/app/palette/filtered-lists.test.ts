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
  ['eol', 'framework'],
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
  expect(names('view webs')).toEqual(['certificates', 'framework', 'inactive', 'beforeConsent'])
})
