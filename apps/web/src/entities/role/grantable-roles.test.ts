import { type PermissionHolder, permissions } from '@kustos/contract/permissions'
import { describe, expect, it } from 'vitest'
import { mayGrant, missingPermissions } from './grantable-roles.ts'

const admin: PermissionHolder = { roles: [{ name: 'admin' }], permissions: [] }
const manager: PermissionHolder = {
  roles: [{ name: 'manager' }],
  permissions: ['view admin panel', 'view logs'],
}
const nonAdmin: PermissionHolder = { roles: [{ name: 'all' }], permissions }

describe('what a user may grant', () => {
  it('is what they hold themselves', () => {
    expect(missingPermissions(manager, ['view logs', 'view webs'])).toEqual(['view webs'])
    expect(mayGrant(manager, { name: 'reader', permissions: ['view logs'] })).toBe(true)
    expect(mayGrant(manager, { name: 'hosting', permissions: ['view logs', 'view webs'] })).toBe(false)
    expect(mayGrant(null, { name: 'reader', permissions: ['view logs'] })).toBe(false)
  })

  it('is everything for an admin, and admin for admins only', () => {
    expect(missingPermissions(admin, permissions)).toEqual([])
    expect(mayGrant(admin, { name: 'admin', permissions: [...permissions] })).toBe(true)
    expect(mayGrant(nonAdmin, { name: 'admin', permissions: [...permissions] })).toBe(false)
  })
})
