import type { Role } from '@kustos/contract/users'
import { describe, expect, it } from 'vitest'
import { applyDraft, findChanges, getRoleDraft, removeDraft, toggleDraft } from './draft.ts'

const role: Role = {
  id: 3,
  name: 'reader',
  permissions: ['view webs', 'view logs'],
  users: 0,
  updated_at: '2026-01-01T00:00:00Z',
}

describe('an unsaved change of a role', () => {
  const drafts = toggleDraft(toggleDraft({}, role, 'view queue'), role, 'view logs')
  const draft = getRoleDraft(drafts, role)

  it('contains what was checked and unchecked', () => {
    expect(findChanges(role, draft)).toEqual(['view queue', 'view logs'])
    expect(applyDraft(role, draft)).toEqual(['view webs', 'view queue'])
  })

  it('disappears when it is reverted', () => {
    const back = toggleDraft(toggleDraft(drafts, role, 'view queue'), role, 'view logs')
    expect(findChanges(role, getRoleDraft(back, role))).toEqual([])
    expect(findChanges(role, getRoleDraft(removeDraft(drafts, role), role))).toEqual([])
  })

  it('survives a concurrent save of another user', () => {
    const newest: Role = { ...role, permissions: ['view queue', 'view bitbucket', 'view logs'] }
    expect(findChanges(newest, draft)).toEqual(['view logs'])
    expect(applyDraft(newest, draft)).toEqual(['view bitbucket', 'view queue'])
  })
})
