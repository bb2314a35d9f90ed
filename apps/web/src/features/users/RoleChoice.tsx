import { adminRole } from '@kustos/contract/permissions'
import type { Role } from '@kustos/contract/users'
import { MultiSelect, type MultiSelectProps, Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { mayGrant, missingPermissions } from '../../entities/role/grantable-roles.ts'
import { usePermissionNames } from '../../entities/role/use-permission-names.ts'
import { useUser } from '../../platform/session.ts'
import type { FormFields } from '../../ui/contract-form/fields.tsx'
import type { UserForm } from './user-form.ts'
import styles from './users.module.css'

interface Props {
  readonly fields: FormFields<UserForm>
  readonly roles: readonly Role[]
  readonly isRequired: boolean
}

/** Selects a user's roles. Those that the signed-in user may not grant are disabled and say why. */
export function RoleChoice({ fields: { field }, roles, isRequired }: Props) {
  const { t } = useTranslation()
  const user = useUser()
  const permissionNames = usePermissionNames()
  const getName = (id: number) => roles.find((role) => role.id === id)?.name ?? String(id)

  function reason(role: Role): string | null {
    if (mayGrant(user, role)) return null
    if (role.name === adminRole) return t('users.form.adminOnly')
    return t('users.form.cannotGrant', {
      permissions: permissionNames(missingPermissions(user, role.permissions)),
    })
  }

  const renderOption: MultiSelectProps<number>['renderOption'] = ({ option, checked }) => {
    const role = roles.find(({ id }) => id === option.value)
    const why = role === undefined ? null : reason(role)
    return (
      <div className={styles.option}>
        <IconCheck
          size={14}
          aria-hidden="true"
          className={styles.check}
          data-checked={checked || undefined}
        />
        <div>
          {option.label}
          {why !== null && (
            <Text c="dimmed" fz="xs">
              {why}
            </Text>
          )}
        </div>
      </div>
    )
  }

  return (
    <MultiSelect
      {...field('roles', {
        label: t('users.form.fields.roles'),
        hint: t('users.form.hints.roles'),
        show: (ids) => ids.map(getName).join(', '),
        wide: true,
      })}
      required={isRequired}
      data={roles.map((role) => ({ value: role.id, label: role.name, disabled: !mayGrant(user, role) }))}
      renderOption={renderOption}
      searchable
      nothingFoundMessage={t('users.form.noMatch')}
      classNames={{ input: styles.pills, inputField: styles.find }}
    />
  )
}
