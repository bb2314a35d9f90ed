import { passwordLength, type Role } from '@kustos/contract/users'
import { Checkbox, PasswordInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormSection, Wide } from '../../ui/contract-form/FormSection.tsx'
import { type FormFields, plainText } from '../../ui/contract-form/fields.tsx'
import { RoleChoice } from './RoleChoice.tsx'
import type { UserForm } from './user-form.ts'

interface Props {
  readonly fields: FormFields<UserForm>
  readonly roles: readonly Role[]
  readonly isNew: boolean
  readonly needsRole: boolean
}

export function UserFields({ fields, roles, isNew, needsRole }: Props) {
  const { t } = useTranslation()
  const { field, toggle } = fields
  const label = (name: keyof UserForm) => ({ label: t(`users.form.fields.${name}`) })
  return (
    <>
      <FormSection title={t('users.form.sections.person')} hint={t('users.form.sections.personHint')}>
        <Wide>
          <TextInput {...field('name', label('name'))} autoComplete="off" />
        </Wide>
        <Wide>
          <TextInput
            {...field('email', { ...label('email'), hint: t('users.form.hints.email') })}
            type="email"
            {...plainText}
          />
        </Wide>
      </FormSection>
      <FormSection title={t('users.form.sections.access')} hint={t('users.form.sections.accessHint')}>
        <Wide>
          <PasswordInput
            {...field('password', {
              ...label('password'),
              hint: t(`users.form.hints.${isNew ? 'password' : 'newPassword'}`, passwordLength),
            })}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword') }}
          />
        </Wide>
        <Wide>
          <RoleChoice fields={fields} roles={roles} isRequired={needsRole} />
        </Wide>
      </FormSection>
      <FormSection title={t('users.form.sections.messages')}>
        <Wide>
          <Checkbox {...toggle('monitoring_mail_subscription', label('monitoring_mail_subscription'))} />
        </Wide>
      </FormSection>
    </>
  )
}
