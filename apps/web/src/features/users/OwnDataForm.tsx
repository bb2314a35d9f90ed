import { deploymentRoutes } from '@kustos/contract/deployment'
import { can } from '@kustos/contract/permissions'
import {
  type CurrentUser,
  currentUserRoute,
  emailChangeRoutes,
  passwordLength,
  userChange,
  usersRoutes,
} from '@kustos/contract/users'
import { Checkbox, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../platform/client.ts'
import { write } from '../../platform/query.ts'
import { refreshUser, signedInUser } from '../../platform/session.ts'
import { ContractForm } from '../../ui/contract-form/ContractForm.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { checkCurrentPassword, needsCurrentPassword } from './current-password.ts'

const toValues = (user: CurrentUser) => ({
  name: user.name,
  email: user.email,
  password: '',
  current_password: '',
  monitoring_mail_subscription: user.monitoring_mail_subscription,
  deployment_mail_subscription: user.deployment_mail_subscription,
})

/** The user's own data. An empty password leaves it unchanged, and so does a new e-mail until it is confirmed. */
export function OwnDataForm({ user }: { readonly user: CurrentUser }) {
  const { t } = useTranslation()
  // What the form's values are a version of: it stays open after saving, while the user may change elsewhere.
  const [version, setVersion] = useState(user)
  if (version.email !== user.email) setVersion(user)
  return (
    <ContractForm
      schema={userChange}
      source={user}
      // A new e-mail may be confirmed elsewhere.
      sourceVersion={user.email}
      toValues={toValues}
      toBody={({ password, current_password, ...values }) => ({
        ...values,
        updated_at: version.updated_at,
        ...(password !== '' && { password }),
        ...(current_password !== '' && { current_password }),
      })}
      check={(values) => checkCurrentPassword(values, user)}
      send={(body, signal) =>
        write(
          usersRoutes.editUser,
          { params: { id: user.id }, body },
          [emailChangeRoutes.readEmailChange],
          signal,
        )
      }
      loadLatest={async () => {
        const latest = await call(currentUserRoute, {})
        setVersion({ ...latest, email: user.email })
        return latest
      }}
      afterSave={(saved) => ({ ...saved, email: user.email, password: '', current_password: '' })}
      onSaved={async (_, { name }) => {
        notifyDone(name, t('settings.saved'))
        await refreshUser()
        setVersion(signedInUser() ?? version)
      }}
      submitLabel={t('settings.save')}
    >
      {({ values, field, toggle }) => (
        <Stack gap="sm">
          <TextInput {...field('name', { label: t('settings.name') })} autoComplete="name" />
          <TextInput
            {...field('email', { label: t('settings.email'), hint: t('settings.emailHint') })}
            type="email"
            autoComplete="email"
          />
          <PasswordInput
            {...field('password', {
              label: t('settings.password'),
              hint: t('settings.passwordHint', passwordLength),
            })}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword') }}
          />
          {needsCurrentPassword(values, user) && (
            <PasswordInput
              {...field('current_password', {
                label: t('settings.currentPassword'),
                hint: t('settings.currentPasswordHint'),
              })}
              required
              autoComplete="current-password"
              visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword') }}
            />
          )}
          <Checkbox
            {...toggle('monitoring_mail_subscription', { label: t('settings.mailSubscription') })}
            mt={4}
          />
          {can(user, deploymentRoutes.listOwnDeployments.access) && (
            <Checkbox {...toggle('deployment_mail_subscription', { label: t('settings.deploymentMails') })} />
          )}
        </Stack>
      )}
    </ContractForm>
  )
}
