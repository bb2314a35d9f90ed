import type { CurrentUser } from '@kustos/contract/users'
import { describe, expect, it } from 'vitest'
import { isCurrentUser } from './stored-user.ts'

const user: CurrentUser = {
  id: 1,
  email: 'admin@kustos.test',
  name: 'Ada Müller',
  monitoring_mail_subscription: false,
  deployment_mail_subscription: false,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  roles: [{ id: 1, name: 'admin' }],
  permissions: ['view webs'],
}

describe('isCurrentUser', () => {
  it('accepts a user as the server sends it', () => {
    expect(isCurrentUser(user)).toBe(true)
  })
  it.each(Object.keys(user))('rejects a user without %s', (field) => {
    expect(isCurrentUser({ ...user, [field]: undefined })).toBe(false)
  })
  it.each([null, 'admin', [], { ...user, roles: [{ id: 1 }] }, { ...user, permissions: [1] }])(
    'rejects %j',
    (value) => {
      expect(isCurrentUser(value)).toBe(false)
    },
  )
})
