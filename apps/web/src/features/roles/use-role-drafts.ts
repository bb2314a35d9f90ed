import type { Permission } from '@kustos/contract/permissions'
import { type Role, usersRoutes } from '@kustos/contract/users'
import { useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../platform/api-error.ts'
import { draftOf } from '../../platform/drafts.ts'
import { write } from '../../platform/query.ts'
import { refreshUser } from '../../platform/session.ts'
import { useDraft, useDraftKey } from '../../ui/contract-form/use-draft.ts'
import { notifyDone, notifyFailed } from '../../ui/notify.tsx'
import { useAbortOnUnmount } from '../../ui/use-abort-on-unmount.ts'
import { useUnsavedGuard } from '../../ui/use-unsaved-guard.ts'
import { changesOf, draftOfRole, permissionsOf, type RoleDrafts, toggled, without } from './draft.ts'

const { editRole, listRoles, listUsers } = usersRoutes

const nothing: { readonly drafts: RoleDrafts } = { drafts: {} }

/**
 * The unsaved changes of the matrix. They are applied to the current roles, so changes of others show at once and are
 * not undone. Each role is saved separately.
 */
export function useRoleDrafts(roles: readonly Role[]) {
  const { t } = useTranslation()
  const draftKey = useDraftKey('matrix')
  const leaving = useAbortOnUnmount()
  const [drafts, setDrafts] = useState<RoleDrafts>(() => draftOf(draftKey, nothing)?.mine.drafts ?? {})
  const [saving, setSaving] = useState<number>()

  const isDirty = roles.some((role) => changesOf(role, draftOfRole(drafts, role)).length > 0)
  const latest = useRef(isDirty)
  latest.current = isDirty
  useUnsavedGuard(useCallback(() => latest.current, []))
  useDraft(draftKey, () => (isDirty ? { base: nothing, mine: { drafts } } : null))

  async function save(role: Role) {
    const { id, name, updated_at } = role
    setSaving(id)
    try {
      const held = permissionsOf(role, draftOfRole(drafts, role))
      const body = { name, permissions: [...held], updated_at }
      await write(editRole, { params: { id }, body }, [listRoles, listUsers], leaving)
      setDrafts((now) => without(now, role))
      notifyDone(name, t('roles.done.saved'))
      // It may be the signed-in user's own role.
      await refreshUser()
    } catch (error) {
      if (leaving.aborted) return
      if (!(error instanceof ApiError)) throw error
      notifyFailed(name, error)
    } finally {
      setSaving(undefined)
    }
  }

  return {
    drafts,
    /** The id of the role that is being saved. */
    saving,
    toggle: (role: Role, permission: Permission) => setDrafts((now) => toggled(now, role, permission)),
    undo: (role: Role) => setDrafts((now) => without(now, role)),
    save,
  }
}

export type RoleDraftState = ReturnType<typeof useRoleDrafts>
