import { type Holder, permissions } from '@kustos/contract/permissions'
import { describe, expect, it } from 'vitest'
import { beyond, mayGrant } from './granting.ts'

const admin: Holder = { roles: [{ name: 'admin' }], permissions: [] }
const keeper: Holder = { roles: [{ name: 'keeper' }], permissions: ['view admin panel', 'view logs'] }
const almighty: Holder = { roles: [{ name: 'all' }], permissions }

describe('what a user may grant', () => {
  it('is what they hold themselves', () => {
    expect(beyond(keeper, ['view logs', 'view webs'])).toEqual(['view webs'])
    expect(mayGrant(keeper, { name: 'reader', permissions: ['view logs'] })).toBe(true)
    expect(mayGrant(keeper, { name: 'hosting', permissions: ['view logs', 'view webs'] })).toBe(false)
    expect(mayGrant(null, { name: 'reader', permissions: ['view logs'] })).toBe(false)
  })

  it('is everything for an admin, and admin for admins only', () => {
    expect(beyond(admin, permissions)).toEqual([])
    expect(mayGrant(admin, { name: 'admin', permissions: [...permissions] })).toBe(true)
    expect(mayGrant(almighty, { name: 'admin', permissions: [...permissions] })).toBe(false)
  })
})
