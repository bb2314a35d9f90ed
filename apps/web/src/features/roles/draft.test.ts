import type { Role } from '@kustos/contract/users'
import { describe, expect, it } from 'vitest'
import { changesOf, draftOfRole, permissionsOf, removeDraft, toggleDraft } from './draft.ts'

const role: Role = {
  id: 3,
  name: 'reader',
  permissions: ['view webs', 'view logs'],
  users: 0,
  updated_at: '2026-01-01T00:00:00Z',
}

describe('an unsaved change of a role', () => {
  const drafts = toggleDraft(toggleDraft({}, role, 'view queue'), role, 'view logs')
  const draft = draftOfRole(drafts, role)

  it('contains what was checked and unchecked', () => {
    expect(changesOf(role, draft)).toEqual(['view queue', 'view logs'])
    expect(permissionsOf(role, draft)).toEqual(['view webs', 'view queue'])
  })

  it('disappears when it is reverted', () => {
    const back = toggleDraft(toggleDraft(drafts, role, 'view queue'), role, 'view logs')
    expect(changesOf(role, draftOfRole(back, role))).toEqual([])
    expect(changesOf(role, draftOfRole(removeDraft(drafts, role), role))).toEqual([])
  })

  it('survives a concurrent save of another user', () => {
    const newest: Role = { ...role, permissions: ['view queue', 'view bitbucket', 'view logs'] }
    expect(changesOf(newest, draft)).toEqual(['view logs'])
    expect(permissionsOf(newest, draft)).toEqual(['view bitbucket', 'view queue'])
  })
})
