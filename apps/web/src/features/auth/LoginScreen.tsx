import { Button, Checkbox, Group, PasswordInput, TextInput, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../platform/api-error.ts'
import { chooseLanguage, currentLanguage } from '../../platform/i18n.ts'
import { errorText } from '../../platform/message-text.ts'
import { signIn, useSession } from '../../platform/session.ts'
import { Mark } from '../../ui/Mark.tsx'
import { useCountdown } from '../../ui/use-countdown.ts'
import styles from './LoginScreen.module.css'
import { useLoginForm } from './use-login-form.ts'

/** The sign-in form. The URL stays, so signing in opens the requested screen. */
export default function LoginScreen() {
  const { t } = useTranslation()
  const form = useLoginForm()
  const session = useSession()
  const hasEnded = session.state === 'signed-out' && session.ended
  const [failure, setFailure] = useState<ApiError>()
  const [signingIn, setSigningIn] = useState(false)
  const [hasTried, setHasTried] = useState(false)
  const wait = useCountdown(failure?.status === 429 ? failure.retryAfterSeconds : undefined)
  const email = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)

  useDocumentTitle(`${t('login.title')} · ${t('app.title')}`)
  useEffect(() => email.current?.focus(), [])

  const submit = async () => {
    if (!form.isValid || signingIn) return
    setSigningIn(true)
    setFailure(undefined)
    try {
      await signIn(form.values)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setFailure(error)
      setHasTried(true)
      password.current?.select()
    } finally {
      setSigningIn(false)
    }
  }

  return (
    <main className={styles.page}>
      <form
        className={styles.card}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Group gap="sm" mb="lg">
          <Mark size={32} />
          <Title order={1}>{t('app.title')}</Title>
        </Group>
        {hasEnded && !hasTried && (
          <p className={styles.ended} role="status">
            {t('login.ended')}
          </p>
        )}
        <TextInput
          {...form.field('email')}
          ref={email}
          className={styles.field}
          label={t('login.email')}
          type="email"
          name="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
        <PasswordInput
          {...form.field('password')}
          ref={password}
          className={styles.field}
          label={t('login.password')}
          name="password"
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword') }}
        />
        <Checkbox
          label={t('login.remember')}
          checked={form.values.remember}
          onChange={(event) => form.setRemember(event.currentTarget.checked)}
        />
        <div className={styles.failure} role="alert">
          {failure !== undefined && (
            <>
              {errorText(failure)} {wait > 0 && t('login.waitSeconds', { count: wait })}
            </>
          )}
        </div>
        <Button type="submit" fullWidth size="md" disabled={!form.isValid} loading={signingIn}>
          {t('login.submit')}
        </Button>
        <LanguageSwitch onFailure={setFailure} />
      </form>
    </main>
  )
}

/** Names the other language in that language. */
function LanguageSwitch({ onFailure }: { readonly onFailure: (error: ApiError) => void }) {
  useTranslation()
  const other = currentLanguage() === 'de' ? 'en' : 'de'
  return (
    <button
      type="button"
      lang={other}
      className={styles.language}
      onClick={() => void chooseLanguage(other).catch(onFailure)}
    >
      {other === 'de' ? 'Deutsch' : 'English'}
    </button>
  )
}
