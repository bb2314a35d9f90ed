import { authRoutes, type OwnSession } from '@kustos/contract/auth'
import { formatTime } from '@kustos/contract/grid'
import { Button, Card, Group, Skeleton, Text, Title, Tooltip } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile, IconLogout } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction, useRoute } from '../../platform/query.ts'
import { notifyOutcome } from '../../ui/notify.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { timeAgo } from '../../ui/times.ts'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { useNow } from '../../ui/use-now.ts'
import styles from './sessions.module.css'
import { type NamedBrowser, useBrowserNames } from './use-browser-names.ts'

const { endOtherSessions, endSession, listSessions } = authRoutes

/** More are shown on request: browsers that delete their cookies leave many sessions behind. */
const initialCount = 6

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

interface SessionProps {
  readonly session: OwnSession
  readonly name: NamedBrowser
  readonly isEnding: boolean
  readonly onEnd: () => void
}

function SessionRow({ session, name, isEnding, onEnd }: SessionProps) {
  const { t, i18n } = useTranslation()
  const now = useNow(30_000)
  const { is_current: isCurrent, address, last_seen_at: seen } = session
  const Icon = name.isHandheld ? IconDeviceMobile : IconDeviceDesktop
  return (
    <li className={styles.session}>
      <Icon size={16} aria-hidden="true" className={styles.icon} />
      <div className={styles.about}>
        <div className={styles.first}>
          <span className={styles.name} title={session.user_agent ?? undefined}>
            {name.title}
          </span>
          {isCurrent && <StatusChip tone="green" text={t('settings.sessions.current')} />}
        </div>
        <div className={styles.facts}>
          <span className={styles.address}>{address ?? t('settings.sessions.unknownAddress')}</span>
          <span>{t('settings.sessions.since', { time: formatTime(session.created_at) })}</span>
          <Tooltip label={formatTime(seen)}>
            <time dateTime={seen}>
              {t('settings.sessions.seen', { ago: timeAgo(seen, now, i18n.language) })}
            </time>
          </Tooltip>
          {session.remembered && (
            <span>{t('settings.sessions.remembered', { time: formatTime(session.expires_at) })}</span>
          )}
        </div>
      </div>
      {!isCurrent && (
        <Button
          size="xs"
          variant="default"
          loading={isEnding}
          aria-label={t('settings.sessions.endNamed', { name: name.title })}
          onClick={onEnd}
        >
          {t('settings.sessions.end')}
        </Button>
      )}
    </li>
  )
}
