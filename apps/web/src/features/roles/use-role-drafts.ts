import type { Permission } from '@kustos/contract/permissions'
import { type Role, usersRoutes } from '@kustos/contract/users'
import { useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readDraft } from '../../platform/drafts.ts'
import { write } from '../../platform/query.ts'
import { refreshUser } from '../../platform/session.ts'
import { useDraft, useDraftKey } from '../../ui/contract-form/use-draft.ts'
import { notifyDone, notifyFailed } from '../../ui/notify.tsx'
import { useAbortOnUnmount } from '../../ui/use-abort-on-unmount.ts'
import { useUnsavedGuard } from '../../ui/use-unsaved-guard.ts'
import { applyDraft, findChanges, getRoleDraft, type RoleDrafts, removeDraft, toggleDraft } from './draft.ts'

const { editRole, listRoles, listUsers } = usersRoutes

const nothing: { readonly drafts: RoleDrafts } = { drafts: {} }

/**
 * The unsaved changes of the matrix. They are applied to the current roles, so changes of others show at once and are
 * not undone. Each role is saved separately.
 */
export function useRoleDrafts(roles: readonly Role[]) {
  const { t } = useTranslation()
  const draftKey = useDraftKey('matrix')
  const unmountSignal = useAbortOnUnmount()
  const [drafts, setDrafts] = useState<RoleDrafts>(() => readDraft(draftKey, nothing)?.mine.drafts ?? {})
  const [savingRoleIds, setSavingRoleIds] = useState<ReadonlySet<number>>(new Set())

  const isDirty = roles.some((role) => findChanges(role, getRoleDraft(drafts, role)).length > 0)
  const isDirtyRef = useRef(isDirty)
  isDirtyRef.current = isDirty
  useUnsavedGuard(useCallback(() => isDirtyRef.current, []))
  useDraft(draftKey, () => (isDirty ? { base: nothing, mine: { drafts } } : null))

  async function save(role: Role) {
    const { id, name, updated_at } = role
    if (savingRoleIds.has(id) || findChanges(role, getRoleDraft(drafts, role)).length === 0) return
    setSavingRoleIds((ids) => new Set([...ids, id]))
    try {
      const permissions = applyDraft(role, getRoleDraft(drafts, role))
      const body = { name, permissions: [...permissions], updated_at }
      await write(editRole, { params: { id }, body }, [listRoles, listUsers], unmountSignal)
      setDrafts((previous) => removeDraft(previous, role))
      notifyDone(name, t('roles.done.saved'))
      // It may be the signed-in user's own role.
      await refreshUser()
    } catch (error) {
      if (!unmountSignal.aborted) notifyFailed(name, error)
    } finally {
      setSavingRoleIds((ids) => new Set([...ids].filter((other) => other !== id)))
    }
  }

  return {
    drafts,
    savingRoleIds,
    /** Ignored while the role is saved; disabled, its checkboxes would lose the focus. */
    toggle(role: Role, permission: Permission) {
      if (!savingRoleIds.has(role.id)) setDrafts((previous) => toggleDraft(previous, role, permission))
    },
    undo: (role: Role) => setDrafts((previous) => removeDraft(previous, role)),
    save,
  }
}

export type RoleDraftState = ReturnType<typeof useRoleDrafts>
