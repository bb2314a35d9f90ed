import { permissions } from '@kustos/contract/permissions'
import type { Role } from '@kustos/contract/users'
import { expect, it } from 'vitest'
import { lossesOf } from './losses.ts'

const role = (name: string, held: Role['permissions']): Role => ({
  id: 1,
  name,
  permissions: held,
  users: 1,
  updated_at: '2026-01-31T12:00:00Z',
})
const admin = { roles: [{ name: 'admin' }], permissions: [...permissions] }
const staff = { roles: [{ name: 'hosting' }], permissions: ['view webs', 'edit webs'] }

it('an admin who takes the role from themselves loses all that their other roles do not hold', () => {
  expect(lossesOf(admin, [role('hosting', ['view webs'])])).toEqual({
    isAdmin: true,
    permissions: permissions.filter((name) => name !== 'view webs'),
  })
  expect(lossesOf(admin, [role('all', [...permissions])])).toEqual({ isAdmin: true, permissions: [] })
})

it('nothing is lost where the roles that stay hold as much', () => {
  expect(lossesOf(admin, [role('admin', []), role('hosting', ['view webs'])])).toBeNull()
  expect(lossesOf(staff, [role('other', ['edit webs', 'view webs', 'view logs'])])).toBeNull()
  expect(lossesOf(staff, [role('other', ['view webs'])])).toEqual({
    isAdmin: false,
    permissions: ['edit webs'],
  })
})
