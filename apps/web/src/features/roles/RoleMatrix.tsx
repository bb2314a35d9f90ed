import { adminRole, type Permission } from '@kustos/contract/permissions'
import type { Role } from '@kustos/contract/users'
import { ActionIcon, Button, Checkbox, Tooltip } from '@mantine/core'
import { getHotkeyHandler } from '@mantine/hooks'
import { IconArrowBackUp, IconInfoCircle } from '@tabler/icons-react'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { missingPermissions } from '../../entities/role/grantable-roles.ts'
import { useUser } from '../../platform/session.ts'
import { applyDraft, findChanges, getRoleDraft } from './draft.ts'
import { permissionGroups, requiredTogether } from './permission-groups.ts'
import styles from './roles.module.css'
import { useFixedReason } from './use-fixed-reason.ts'
import type { RoleDraftState } from './use-role-drafts.ts'

interface Props {
  readonly roles: readonly Role[]
  readonly state: RoleDraftState
  /** The head of a role's column. */
  readonly head: (role: Role) => ReactNode
  readonly label: string
}

/** Permissions as rows and roles as columns. Each column is saved separately. */
export function RoleMatrix({ roles, state, head, label }: Props) {
  const { t } = useTranslation()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard.
    <section className={styles.scroller} aria-label={label} tabIndex={0}>
      <table className={styles.matrix}>
        <thead>
          <tr>
            <th scope="col" className={styles.corner}>
              {t('roles.permission')}
            </th>
            {roles.map((role) => (
              <th key={role.id} scope="col" className={styles.head}>
                {head(role)}
              </th>
            ))}
            <td className={styles.rest} />
          </tr>
        </thead>
        <tbody>
          {permissionGroups.map((group) => (
            <Fragment key={group.name}>
              <tr>
                <th scope="rowgroup" className={styles.group}>
                  {t(`roles.groups.${group.name}`)}
                </th>
                <td colSpan={roles.length + 1} className={styles.groupRest} />
              </tr>
              {group.permissions.map((permission) => (
                <tr key={permission} className={styles.row}>
                  <PermissionHead permission={permission} />
                  {roles.map((role) => (
                    <Cell key={role.id} role={role} permission={permission} state={state} />
                  ))}
                  <td className={styles.rest} />
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td className={styles.cornerFoot} />
            {roles.map((role) => (
              <td key={role.id}>
                <Foot role={role} state={state} />
              </td>
            ))}
            <td />
          </tr>
        </tfoot>
      </table>
    </section>
  )
}

/** The name of a permission. The tooltip shows its name in the API and the log. */
function PermissionHead({ permission }: { readonly permission: Permission }) {
  const { t } = useTranslation()
  const name = t(`roles.names.${permission}`)
  const other = requiredTogether[permission]
  const alsoNeeds = other && t('roles.alsoNeeds', { permission: name, other: t(`roles.names.${other}`) })
  return (
    <th scope="row" className={styles.permission} title={name === permission ? undefined : permission}>
      {name}
      {alsoNeeds !== undefined && (
        <Tooltip label={alsoNeeds} multiline maw={280} events={{ hover: true, focus: true, touch: true }}>
          <button
            type="button"
            className={styles.hint}
            aria-label={`${t('roles.alsoNeedsLabel')}: ${alsoNeeds}`}
          >
            <IconInfoCircle size={14} aria-hidden="true" />
          </button>
        </Tooltip>
      )}
    </th>
  )
}

interface CellProps {
  readonly role: Role
  readonly permission: Permission
  readonly state: RoleDraftState
}

function Cell({ role, permission, state }: CellProps) {
  const { drafts, toggle } = state
  const { t } = useTranslation()
  const user = useUser()
  const fixedReason = useFixedReason(role)
  const why =
    fixedReason ??
    (missingPermissions(user, [permission]).length > 0
      ? t('roles.cannotGrant', { permission: t(`roles.names.${permission}`) })
      : undefined)
  const draft = getRoleDraft(drafts, role)
  const isChanged = findChanges(role, draft).includes(permission)
  return (
    <td
      className={styles.cell}
      data-changed={isChanged || undefined}
      title={why}
      onKeyDown={getHotkeyHandler([['mod+S', () => void state.save(role)]])}
    >
      <Checkbox
        aria-label={t('roles.cell', { permission: t(`roles.names.${permission}`), role: role.name })}
        aria-description={why ?? (isChanged ? t('roles.changed') : undefined)}
        checked={role.name === adminRole || applyDraft(role, draft).includes(permission)}
        disabled={why !== undefined}
        onChange={() => toggle(role, permission)}
        classNames={{ body: styles.box }}
      />
    </td>
  )
}

/** Takes its space even if there is nothing to save, so that the layout does not shift. */
function Foot({ role, state: { drafts, save, undo, savingRoleIds } }: Omit<CellProps, 'permission'>) {
  const { t } = useTranslation()
  const count = findChanges(role, getRoleDraft(drafts, role)).length
  const fixedReason = useFixedReason(role)
  const isSaving = savingRoleIds.has(role.id)
  return (
    <div className={styles.sending} tabIndex={-1}>
      {fixedReason !== undefined && (
        <Tooltip label={fixedReason} multiline maw={280} events={{ hover: true, focus: true, touch: true }}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the reason has to be reached by the keyboard. */}
          <span className={styles.fixed} tabIndex={0}>
            {t(role.name === adminRole ? 'roles.fixed' : 'roles.notYours')}
          </span>
        </Tooltip>
      )}
      {count > 0 && (
        <>
          <Button
            size="xs"
            px={8}
            loading={isSaving}
            aria-keyshortcuts="Control+S Meta+S"
            aria-label={`${t('roles.saveNamed', { role: role.name })}: ${t('roles.unsaved', { count })}`}
            onClick={() => void save(role)}
          >
            {t('roles.save')} ({count})
          </Button>
          <Tooltip label={t('roles.undo')}>
            <ActionIcon
              size={28}
              disabled={isSaving}
              aria-label={t('roles.undoNamed', { role: role.name })}
              onClick={() => undo(role)}
            >
              <IconArrowBackUp size={16} />
            </ActionIcon>
          </Tooltip>
        </>
      )}
    </div>
  )
}
