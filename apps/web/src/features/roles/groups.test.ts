import { permissions } from '@kustos/contract/permissions'
import { expect, it } from 'vitest'
import { permissionGroups } from './groups.ts'

it('every permission stands in the matrix, and once', () => {
  const grouped = permissionGroups.flatMap(({ permissions: held }) => [...held])
  expect(grouped.toSorted()).toEqual([...permissions].toSorted())
})
