import { permissions } from '@kustos/contract/permissions'
import type { Role } from '@kustos/contract/users'
import { expect, it } from 'vitest'
import { findLosses } from './find-losses.ts'

const role = (name: string, held: Role['permissions']): Role => ({
  id: 1,
  name,
  permissions: held,
  users: 1,
  updated_at: '2026-01-31T12:00:00Z',
})
const admin = { roles: [{ name: 'admin' }], permissions: [...permissions] }
const staff = { roles: [{ name: 'hosting' }], permissions: ['view webs', 'edit webs'] }

it('an admin who drops the role loses what their other roles lack', () => {
  expect(findLosses(admin, [role('hosting', ['view webs'])])).toEqual({
    losesAdmin: true,
    permissions: permissions.filter((name) => name !== 'view webs'),
  })
  expect(findLosses(admin, [role('all', [...permissions])])).toEqual({ losesAdmin: true, permissions: [] })
})

it('nothing is lost if the remaining roles hold as much', () => {
  expect(findLosses(admin, [role('admin', []), role('hosting', ['view webs'])])).toBeNull()
  expect(findLosses(staff, [role('other', ['edit webs', 'view webs', 'view logs'])])).toBeNull()
  expect(findLosses(staff, [role('other', ['view webs'])])).toEqual({
    losesAdmin: false,
    permissions: ['edit webs'],
  })
})
