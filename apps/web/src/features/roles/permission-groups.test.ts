import { permissions } from '@kustos/contract/permissions'
import { expect, it } from 'vitest'
import { permissionGroups, requiredTogether } from './permission-groups.ts'

it('lists every permission once in the matrix', () => {
  const grouped = permissionGroups.flatMap(({ permissions: held }) => [...held])
  expect(grouped.toSorted()).toEqual([...permissions].toSorted())
})

it('explains permissions that work only together', () => {
  expect(requiredTogether).toEqual({ 'create webs': 'view bitbucket', 'view bitbucket': 'create webs' })
})
