import { permissions } from '@kustos/contract/permissions'
import { expect, it } from 'vitest'
import { neededWith, permissionGroups } from './groups.ts'

it('every permission stands in the matrix, and once', () => {
  const grouped = permissionGroups.flatMap(({ permissions: held }) => [...held])
  expect(grouped.toSorted()).toEqual([...permissions].toSorted())
})

it('what opens something only together is told of both', () => {
  expect(neededWith).toEqual({ 'create webs': 'view bitbucket', 'view bitbucket': 'create webs' })
})
