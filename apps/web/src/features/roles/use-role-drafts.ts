import type { Permission } from '@kustos/contract/permissions'
import { type Role, usersRoutes } from '@kustos/contract/users'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router-dom'
import { ApiError } from '../../app/api-error.ts'
import { keyOf, useAction } from '../../app/query.ts'
import { refreshUser, useUser } from '../../app/session.ts'
import { draftOf, dropDraft } from '../../ui/contract-form/drafts.ts'
import { useKeptDraft } from '../../ui/contract-form/use-kept-draft.ts'
import { notifyDone, notifyFailed } from '../../ui/notify.tsx'
import { useUnsavedGuard } from '../../ui/use-unsaved-guard.ts'
import { changesOf, draftOfRole, permissionsOf, type RoleDrafts, toggled, without } from './draft.ts'

const { editRole, listRoles, listUsers } = usersRoutes

const nothing: { readonly drafts: RoleDrafts } = { drafts: {} }

/**
 * The unsaved changes of the matrix, each role saved by itself. They lie over the roles as these are now, so that what
 * somebody else saves meanwhile shows at once and is not undone; they outlive a session that ends.
 */
export function useRoleDrafts(roles: readonly Role[]) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { pathname } = useLocation()
  const owner = `${useUser()?.id} ${pathname} matrix`
  const [drafts, setDrafts] = useState<RoleDrafts>(() => draftOf(owner, nothing)?.mine.drafts ?? {})
  useEffect(dropDraft, [])
  const edit = useAction(editRole, [listRoles, listUsers])
  const [saving, setSaving] = useState<number>()

  const isDirty = roles.some((role) => changesOf(role, draftOfRole(drafts, role)).length > 0)
  const latest = useRef(isDirty)
  latest.current = isDirty
  useUnsavedGuard(useCallback(() => latest.current, []))
  useKeptDraft(owner, () => (isDirty ? { base: nothing, mine: { drafts } } : null))

  async function save(role: Role) {
    const { id, name, updated_at } = role
    setSaving(id)
    try {
      const held = permissionsOf(role, draftOfRole(drafts, role))
      await edit.mutateAsync({ params: { id }, body: { name, permissions: [...held], updated_at } })
      setDrafts((now) => without(now, role))
      notifyDone(name, t('roles.done.saved'))
      // It may be one's own.
      await refreshUser()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      notifyFailed(name, error)
      void client.invalidateQueries({ queryKey: keyOf(listRoles) })
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
