import { formatTime } from '@kustos/contract/grid'
import type { TimelineEntry } from '@kustos/contract/timeline'
import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { StatusChip } from '../../ui/StatusChip.tsx'
import logStyles from '../audit-log/logs.module.css'
import { displayHost } from '../tracking/display-host.ts'
import { webPath } from '../web/paths.ts'
import { TimelineItem } from './TimelineItem.tsx'

const maxNames = 5

/** A certificate that was issued, or what has been wrong with one since then. */
export function CertificateItem({
  entry: { at, certificate },
}: {
  readonly entry: Extract<TimelineEntry, { kind: 'certificate' }>
}) {
  const { t } = useTranslation()
  const { web, state, names, authority, valid_to: end } = certificate
  const isIssued = state === 'valid'
  const others = names.map(displayHost).filter((name) => name !== web.fqdn)
  const listed = others.slice(0, maxNames).join(', ') + (others.length > maxNames ? ' …' : '')
  return (
    <TimelineItem at={at}>
      <span className={logStyles.what}>{t('customers.timeline.certificate')}</span>
      <StatusChip
        tone={isIssued ? 'green' : 'red'}
        text={isIssued ? t('customers.timeline.issued') : t(`webPage.certificates.states.${state}`)}
      />
      <Anchor component={Link} to={webPath(web.id)} inherit className={logStyles.subject}>
        {web.fqdn}
      </Anchor>
      <span className={logStyles.causer}>
        {[
          listed,
          isIssued && authority,
          isIssued &&
            end !== null &&
            t('customers.timeline.validUntil', { time: formatTime(end).slice(0, 10) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </TimelineItem>
  )
}
