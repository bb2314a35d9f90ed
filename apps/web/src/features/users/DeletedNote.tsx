import type { User } from '@kustos/contract/users'
import { Alert, Button, Group, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useUserActions } from './use-user-actions.ts'
import styles from './users.module.css'

interface Props {
  readonly user: User
  readonly onRestored: () => void
}

/** Replaces the form, because a deleted user must be restored before they can be edited. */
export function DeletedNote({ user, onRestored }: Props) {
  const { t } = useTranslation()
  const { restore, isRestoring } = useUserActions()
  return (
    <Alert variant="default" icon={<IconTrash size={16} />} classNames={{ wrapper: styles.note }}>
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
