import { type CurrentUser, emailChangeRoutes } from '@kustos/contract/users'
import { Alert, Button, Group, Text } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router-dom'
import { errorText } from '../../platform/message-text.ts'
import { useAction, useRoute } from '../../platform/query.ts'
import { refreshUser } from '../../platform/session.ts'
import { notifyDone, notifyOutcome } from '../../ui/notify.tsx'

const { readEmailChange, confirmEmailChange, cancelEmailChange } = emailChangeRoutes

/** A new e-mail that waits for its confirmation, and the question of the link that was sent there. */
export function EmailChange({ user }: { readonly user: CurrentUser }) {
  const token = /^#email-change=(.+)$/.exec(useLocation().hash)?.[1]
  const { data } = useRoute(readEmailChange, {})
  if (token !== undefined) return <Confirmation token={token} email={data?.data?.email} />
  return data?.data ? <Pending user={user} email={data.data.email} /> : null
}

function Pending({ user, email }: { readonly user: CurrentUser; readonly email: string }) {
  const { t } = useTranslation()
  const cancellation = useAction(cancelEmailChange, [readEmailChange])
  return (
    <Alert variant="default" role="status" mb="md" icon={<IconMail size={16} />}>
      <Text mb="xs">{t('settings.emailChange.pending', { email, old: user.email })}</Text>
      <Button
        variant="default"
        loading={cancellation.isPending}
        onClick={() =>
          void notifyOutcome(email, t('settings.emailChange.cancelled'), () => cancellation.mutateAsync({}))
        }
      >
        {t('settings.emailChange.cancel', { old: user.email })}
      </Button>
    </Alert>
  )
}

interface ConfirmationProps {
  readonly token: string
  /** Undefined while it loads, and for a link that is no longer valid. */
  readonly email: string | undefined
}

/** A link alone changes nothing, because mail servers open links, too. */
function Confirmation({ token, email }: ConfirmationProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const confirmation = useAction(confirmEmailChange, [readEmailChange])
  const leave = () => navigate('/settings', { replace: true })
  async function confirm() {
    try {
      await confirmation.mutateAsync({ body: { token } })
    } catch {
      // Shown below.
      return
    }
    notifyDone(email ?? '', t('settings.emailChange.confirmed'))
    await refreshUser()
    await leave()
  }
  return (
    <Alert variant="default" role="status" mb="md" icon={<IconMail size={16} />}>
      <Text mb="xs">
        {email === undefined
          ? t('settings.emailChange.confirm')
          : t('settings.emailChange.confirmNamed', { email })}
      </Text>
      {confirmation.error && (
        <Text mb="xs" role="alert">
          {errorText(confirmation.error)}
        </Text>
      )}
      <Group gap="sm">
        <Button loading={confirmation.isPending} onClick={() => void confirm()}>
          {t('settings.emailChange.yes')}
        </Button>
        <Button variant="default" onClick={() => void leave()}>
          {t('settings.emailChange.later')}
        </Button>
      </Group>
    </Alert>
  )
}
