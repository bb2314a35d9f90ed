import { type CurrentUser, ownSettings, passwordLength, usersRoutes } from '@kustos/contract/users'
import { Button, Checkbox, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../app/api-error.ts'
import { useAction } from '../../app/query.ts'
import { sentence } from '../../app/sentences.ts'
import { refreshUser } from '../../app/session.ts'
import { fieldErrors } from '../../ui/field-errors.ts'
import { notifyDone, notifyFailed } from '../../ui/notify.tsx'
import { useUnsavedGuard } from '../../ui/use-unsaved-guard.ts'

const fieldsOf = ({ name, email, monitoring_mail_subscription }: CurrentUser) => ({
  name,
  email,
  password: '',
  monitoring_mail_subscription,
})

/** The user's own data; the password changes only if one is entered. */
export function OwnDataForm({ user }: { readonly user: CurrentUser }) {
  const { t } = useTranslation()
  const save = useAction(usersRoutes.editUser)
  const form = useForm({
    initialValues: fieldsOf(user),
    validate: schemaResolver(ownSettings, { sync: true }),
    validateInputOnBlur: true,
  })
  useUnsavedGuard(form.isDirty)

  const submit = form.onSubmit(async ({ password, ...values }) => {
    try {
      await save.mutateAsync({
        params: { id: user.id },
        body: password === '' ? values : { ...values, password },
      })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const { shown, rest } = fieldErrors(error, Object.keys(form.values))
      form.setErrors(shown)
      if (rest.length > 0 || Object.keys(shown).length === 0) notifyFailed(user.email, error)
      return
    }
    form.setInitialValues({ ...values, password: '' })
    form.setFieldValue('password', '')
    form.resetDirty({ ...values, password: '' })
    await refreshUser()
    notifyDone(values.name, t('settings.saved'))
  })

  /** The schema's sentences are English; the server's arrive translated. */
  const field = (name: 'name' | 'email' | 'password') => {
    const { error, ...props } = form.getInputProps(name)
    return { ...props, error: typeof error === 'string' ? sentence(error) : error }
  }

  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="sm">
        <TextInput {...field('name')} label={t('settings.name')} required autoComplete="name" />
        <TextInput
          {...field('email')}
          label={t('settings.email')}
          description={t('settings.emailHint')}
          required
          type="email"
          autoComplete="email"
        />
        <PasswordInput
          {...field('password')}
          label={t('settings.password')}
          description={t('settings.passwordHint', { min: passwordLength.min })}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword') }}
        />
        <Checkbox
          {...form.getInputProps('monitoring_mail_subscription', { type: 'checkbox' })}
          label={t('settings.mailSubscription')}
          mt={4}
        />
        <Group justify="flex-end" mt="xs">
          <Button type="submit" disabled={!form.isDirty()} loading={save.isPending}>
            {t('settings.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
