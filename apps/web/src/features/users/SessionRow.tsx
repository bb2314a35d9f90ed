import type { OwnSession } from '@kustos/contract/auth'
import { formatTime } from '@kustos/contract/grid'
import { Button, Tooltip } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { timeAgo } from '../../ui/times.ts'
import { useNow } from '../../ui/use-now.ts'
import styles from './sessions.module.css'
import type { NamedBrowser } from './use-browser-names.ts'

interface Props {
  readonly session: OwnSession
  readonly name: NamedBrowser
  readonly isEnding: boolean
  readonly onEnd: () => void
}

export function SessionRow({ session, name, isEnding, onEnd }: Props) {
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
