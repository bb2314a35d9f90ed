import { authRoutes, type OwnSession } from '@kustos/contract/auth'
import { Button, Card, Group, Skeleton, Text, Title } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction, useRoute } from '../../platform/query.ts'
import { notifyOutcome } from '../../ui/notify.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { SessionRow } from './SessionRow.tsx'
import styles from './sessions.module.css'
import { useBrowserNames } from './use-browser-names.ts'

const { endOtherSessions, endSession, listSessions } = authRoutes

/** More are shown on request: browsers that delete their cookies leave many sessions behind. */
const initialCount = 6

/** The user's sessions, with buttons that end them. */
export function OwnSessions() {
  const { t } = useTranslation()
  const heading = useId()
  const confirm = useConfirm()
  const query = useRoute(listSessions, {})
  const endOne = useAction(endSession, [listSessions])
  const endOthers = useAction(endOtherSessions, [listSessions])
  const [ending, setEnding] = useState<number>()
  const nameOf = useBrowserNames()
  const [isAll, setAll] = useState(false)
  const others = (query.data ?? []).filter((session) => !session.is_current).length

  async function end({ id, user_agent }: OwnSession) {
    setEnding(id)
    await notifyOutcome(nameOf(user_agent).title, t('settings.sessions.ended'), () =>
      endOne.mutateAsync({ params: { id } }),
    )
    setEnding(undefined)
  }

  async function endAll() {
    const title = t('settings.sessions.endOthers')
    const text = t('settings.sessions.endOthersQuestion', { count: others })
    const yes = t('settings.sessions.endOthersYes')
    if (!(await confirm({ title, text, yes, danger: true }))) return
    await notifyOutcome(t('settings.sessions.title'), t('settings.sessions.othersEnded'), () =>
      endOthers.mutateAsync({}),
    )
  }

  return (
    <Card component="section" aria-labelledby={heading} className={styles.card}>
      <Group justify="space-between" gap="sm" mb="xs">
        <Title order={2} id={heading}>
          {t('settings.sessions.title')}
        </Title>
        <Button
          variant="default"
          leftSection={<IconLogout size={16} />}
          loading={endOthers.isPending}
          disabled={others === 0}
          onClick={() => void endAll()}
        >
          {t('settings.sessions.endOthers')}
        </Button>
      </Group>
      <Text c="dimmed" mb="sm">
        {t('settings.sessions.hint')}
      </Text>
      <QueryState query={query} skeleton={<Skeleton h={56} role="status" aria-label={t('grid.loading')} />}>
        {(sessions) => (
          <ul className={styles.sessions}>
            {(isAll ? sessions : sessions.slice(0, initialCount)).map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                name={nameOf(session.user_agent)}
                isEnding={ending === session.id}
                onEnd={() => void end(session)}
              />
            ))}
            {!isAll && sessions.length > initialCount && (
              <li className={styles.session}>
                <Button size="xs" variant="subtle" color="gray" onClick={() => setAll(true)}>
                  {t('settings.sessions.all', { count: sessions.length })}
                </Button>
              </li>
            )}
          </ul>
        )}
      </QueryState>
    </Card>
  )
}
