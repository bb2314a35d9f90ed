import { passwordLength, type Role } from '@kustos/contract/users'
import { Checkbox, PasswordInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormSection } from '../../ui/contract-form/FormSection.tsx'
import { type FormFields, plainText } from '../../ui/contract-form/fields.tsx'
import { RoleChoice } from './RoleChoice.tsx'
import type { UserForm } from './user-form.ts'

interface Props {
  readonly fields: FormFields<UserForm>
  readonly roles: readonly Role[]
  readonly isNew: boolean
  readonly needsRole: boolean
  readonly needsCurrentPassword?: boolean
}

export function UserFields({ fields, roles, isNew, needsRole, needsCurrentPassword = false }: Props) {
  const { t } = useTranslation()
  const { field, toggle } = fields
  const label = (name: Exclude<keyof UserForm, 'current_password'>) => ({
    label: t(`users.form.fields.${name}`),
    wide: true,
  })
  return (
    <>
      <FormSection title={t('users.form.sections.person')} hint={t('users.form.sections.personHint')}>
        <TextInput {...field('name', label('name'))} autoComplete="off" />
        <TextInput
          {...field('email', { ...label('email'), hint: t('users.form.hints.email') })}
          type="email"
          {...plainText}
        />
      </FormSection>
      <FormSection title={t('users.form.sections.access')} hint={t('users.form.sections.accessHint')}>
        <PasswordInput
          {...field('password', {
            ...label('password'),
            hint: t(`users.form.hints.${isNew ? 'password' : 'newPassword'}`, passwordLength),
          })}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword') }}
        />
        {needsCurrentPassword && (
          <PasswordInput
            {...field('current_password', {
              label: t('settings.currentPassword'),
              hint: t('settings.currentPasswordHint'),
              wide: true,
            })}
            required
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword') }}
          />
        )}
        <RoleChoice fields={fields} roles={roles} isRequired={needsRole} />
      </FormSection>
      <FormSection title={t('users.form.sections.messages')}>
        <Checkbox {...toggle('monitoring_mail_subscription', label('monitoring_mail_subscription'))} />
      </FormSection>
    </>
  )
}
