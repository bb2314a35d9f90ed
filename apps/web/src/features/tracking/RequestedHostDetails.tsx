import type { RequestedHost } from '@kustos/contract/tracking'
import { IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { displayAddresses, displayHost } from '../../entities/tracking/display-host.ts'
import styles from '../../entities/tracking/tracking.module.css'
import { StatusChip } from '../../ui/StatusChip.tsx'

export function RequestedHostDetails({ request }: { readonly request: RequestedHost }) {
  const { t } = useTranslation()
  const { host, topic, ids, requests, verdict, url, method, kind, initiator } = request
  return (
    <details className={styles.item} data-verdict={verdict}>
      <summary className={styles.summary}>
        <IconChevronRight size={14} aria-hidden="true" className={styles.chevron} />
        <span className={styles.topic}>
          {topic === null ? displayHost(host) : t(`tracking.topics.${topic}`)}
        </span>
        <span className={styles.value}>
          {ids.length > 0 && <code className={styles.code}>{ids.join(', ')}</code>}
          <span className={styles.domain}>{t('tracking.visit.to', { host: displayHost(host) })}</span>
        </span>
        <span className={styles.badges}>
          {verdict === 'violation' && <StatusChip tone="red" text={t('tracking.visit.violation')} />}
          {verdict === 'denied' && <StatusChip tone="grey" text={t('tracking.visit.denied')} />}
        </span>
        <span className={styles.since}>{t('tracking.visit.requests', { count: requests })}</span>
      </summary>
      <div className={styles.evidence}>
        <div className={styles.pieceHead}>
          <span className={styles.source} translate="no">
            {method} {kind}
          </span>
          {initiator !== null && (
            <span className={styles.url}>
              {t('tracking.visit.by', { initiator: displayAddresses(initiator) })}
            </span>
          )}
        </div>
        <code className={styles.excerpt}>{displayAddresses(url)}</code>
      </div>
    </details>
  )
}
