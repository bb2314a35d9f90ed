import { authRoutes } from '@kustos/contract/auth'
import { confirmationMinutes } from '@kustos/contract/route'
import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import i18next from 'i18next'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../platform/api-error.ts'
import { call } from '../platform/client.ts'
import { errorText } from '../platform/message-text.ts'
import { useUser } from '../platform/session.ts'
import { prepareOverlays } from './DeferredOverlays.tsx'
import { useCountdown } from './use-countdown.ts'

/** Opens a dialog that confirms the password of the session. @returns false if the user cancels, or the session ends */
export async function askForPassword(): Promise<boolean> {
  await prepareOverlays()
  return new Promise((resolve) => {
    const id = modals.open({
      title: i18next.t('ui.confirmPassword.title'),
      closeButtonProps: { 'aria-label': i18next.t('ui.confirmPassword.cancel'), ...keepEscape },
      children: (
        <PasswordForm
          onEnd={(isConfirmed) => {
            // The first one counts.
            resolve(isConfirmed)
            modals.close(id)
          }}
        />
      ),
      onClose: () => resolve(false),
    })
  })
}

/** Escape must not also close a dialog below, whose input is being saved. */
const keepEscape = { 'data-mantine-stop-propagation': true } as const

function PasswordForm({ onEnd }: { readonly onEnd: (isConfirmed: boolean) => void }) {
  const { t } = useTranslation()
  const user = useUser()
  const [password, setPassword] = useState('')
  const [failure, setFailure] = useState<ApiError>()
  const [isSending, setSending] = useState(false)
  const wait = useCountdown(failure?.status === 429 ? failure.retryAfterSeconds : undefined)
  const input = useRef<HTMLInputElement>(null)
  const end = useRef(onEnd)
  end.current = onEnd
  // Also when the session ends, which removes the console.
  useEffect(() => () => end.current(false), [])

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isSending) return
    setSending(true)
    setFailure(undefined)
    try {
      await call(authRoutes.confirmPassword, { body: { password } })
      onEnd(true)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setFailure(error)
      input.current?.select()
    } finally {
      setSending(false)
    }
  }

  return (
    <form
      noValidate
      onSubmit={(event) => void submit(event)}
      onKeyDown={({ key }) => key === 'Escape' && onEnd(false)}
    >
      <Stack gap="sm">
        <Text>{t('ui.confirmPassword.text', { minutes: confirmationMinutes })}</Text>
        {/* Tells password managers whose password it is. */}
        <input type="email" name="email" autoComplete="username" defaultValue={user?.email} hidden />
        <PasswordInput
          {...keepEscape}
          ref={input}
          data-autofocus
          label={t('ui.confirmPassword.password')}
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={
            failure &&
            `${errorText(failure)} ${wait > 0 ? t('login.waitSeconds', { count: wait }) : ''}`.trim()
          }
          visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword'), ...keepEscape }}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={() => onEnd(false)} {...keepEscape}>
            {t('ui.confirmPassword.cancel')}
          </Button>
          <Button type="submit" disabled={password === ''} loading={isSending} {...keepEscape}>
            {t('ui.confirmPassword.confirm')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
