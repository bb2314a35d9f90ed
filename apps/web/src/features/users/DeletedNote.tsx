import type { User } from '@kustos/contract/users'
import { Alert, Button, Group, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useUserActions } from './use-user-actions.tsx'
import styles from './users.module.css'

interface Props {
  readonly user: User
  readonly onRestored: () => void
}

/** In place of the form: a deleted user is restored before anything is changed. */
export function DeletedNote({ user, onRestored }: Props) {
  const { t } = useTranslation()
  const { restore, isRestoring } = useUserActions()
  return (
    <Alert variant="default" icon={<IconTrash size={16} />} p="sm" classNames={{ wrapper: styles.note }}>
      <Group justify="space-between" gap="sm">
        <Text>{t('users.form.deleted')}</Text>
        <Button
          variant="default"
          loading={isRestoring}
          onClick={() => void restore(user).then((done) => done && onRestored())}
        >
          {t('users.actions.restore')}
        </Button>
      </Group>
    </Alert>
  )
}
