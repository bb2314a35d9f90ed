import { formatTime } from '@kustos/contract/grid'
import type { MovedWeb } from '@kustos/contract/monitoring'
import { Alert, Anchor } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { webHref } from '../../entities/web/paths.ts'
import { useUser } from '../../platform/session.ts'
import { timeAgo } from '../../ui/times.ts'
import { useNow } from '../../ui/use-now.ts'
import styles from './monitoring.module.css'

/** Webs that the list leaves out because their domain has moved away. */
export function MovedWebs({ webs }: { readonly webs: readonly MovedWeb[] }) {
  const { t, i18n } = useTranslation()
  const user = useUser()
  const now = useNow(60_000)
  if (webs.length === 0) return null
  return (
    <Alert
      variant="default"
      role="status"
      p="sm"
      mb="sm"
      icon={<IconAlertTriangle size={16} />}
      title={t('monitoring.moved.title', { count: webs.length })}
    >
      <ul className={styles.moved}>
        {webs.map((web) => {
          const href = webHref(user, web)
          return (
            <li key={web.id}>
              {href === null ? (
                web.fqdn
              ) : (
                <Anchor component={Link} to={href} inherit underline="always">
                  {web.fqdn}
                </Anchor>
              )}{' '}
              ({web.customer}):{' '}
              {web.to === null
                ? t('monitoring.moved.gone', { from: web.from })
                : t('monitoring.moved.elsewhere', { from: web.from, to: web.to })}
              ,{' '}
              <time dateTime={web.since} title={formatTime(web.since)}>
                {timeAgo(web.since, now, i18n.language)}
              </time>
            </li>
          )
        })}
      </ul>
      {t('monitoring.moved.hint')}
    </Alert>
  )
}
