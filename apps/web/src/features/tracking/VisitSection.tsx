import { thirdPartiesRoutes } from '@kustos/contract/third-parties'
import { isClean } from '@kustos/contract/tracker-storage'
import { consentPhases, type RequestedHost, type TrackingVisit } from '@kustos/contract/tracking'
import { Anchor, Text, Title } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { displayHost, displayUrls } from '../../entities/tracking/display-host.ts'
import { valueText } from '../../entities/tracking/FindingDetails.tsx'
import { thirdPartyPath } from '../../entities/tracking/paths.ts'
import { requestedName } from '../../entities/tracking/service-name.ts'
import { isElsewhere, stopText } from '../../entities/tracking/stop-text.ts'
import styles from '../../entities/tracking/tracking.module.css'
import { Violations } from '../../entities/tracking/Violations.tsx'
import { Can } from '../../ui/Can.tsx'
import { Section } from '../../ui/Section.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { choicesText } from './consent-text.ts'
import { hasEvidence, PhaseEvidence } from './PhaseEvidence.tsx'
import { VisitStops } from './VisitStops.tsx'

interface Props {
  readonly visit: TrackingVisit
  /** Whether the audit could check everything; otherwise it proves nothing. */
  readonly isComplete: boolean
}

export function VisitSection({ visit, isComplete }: Props) {
  const { t } = useTranslation()
  const clean = <StatusChip tone="green" text={t('tracking.visit.clean')} />
  return (
    <Section
      title={t('tracking.visit.title')}
      hint={choicesText(visit, isComplete, t)}
      beside={isComplete && isClean(visit) && clean}
    >
      <Violations visit={visit} />
      <div className={styles.findings}>
        {consentPhases.map((phase) => (
          <Phase
            key={phase}
            phase={phase}
            requests={visit.asked.filter((request) => request.phase === phase)}
            evidence={hasEvidence(visit, phase) && <PhaseEvidence visit={visit} phase={phase} />}
          />
        ))}
        {visit.stops !== undefined && <VisitStops stops={visit.stops} />}
      </div>
    </Section>
  )
}

interface PhaseProps {
  readonly phase: RequestedHost['phase']
  readonly requests: readonly RequestedHost[]
  readonly evidence: ReactNode
}

function Phase({ phase, requests, evidence }: PhaseProps) {
  const { t } = useTranslation()
  if (requests.length === 0 && !evidence) return null
  const isNotable = ({ topic, verdict }: RequestedHost) => topic !== null || verdict !== 'none'
  const trackers = requests.filter(isNotable)
  const others = requests.filter((request) => !isNotable(request))
  return (
    <div>
      <Title order={3} className={styles.group}>
        {t(`tracking.visit.phases.${phase}`)}
      </Title>
      {trackers.map((request) => (
        <RequestedHostDetails
          key={`${request.host} ${request.topic} ${request.entity} ${request.verdict}`}
          request={request}
        />
      ))}
      {others.length > 0 && (
        <Text c="dimmed" fz="sm" className={styles.others}>
          <b>{t(trackers.length === 0 ? 'tracking.visit.onlyOthers' : 'tracking.visit.others')}:</b>{' '}
          {others.map(({ host, requests }) => `${displayHost(host)} (${requests})`).join(', ')}
        </Text>
      )}
      {evidence}
    </div>
  )
}

function RequestedHostDetails({ request }: { readonly request: RequestedHost }) {
  const { t } = useTranslation()
  const { host, alias, ids, requests, verdict, url, method, kind, initiator, stop } = request
  return (
    <details className={styles.item} data-verdict={verdict}>
      <summary className={styles.summary}>
        <IconChevronRight size={14} aria-hidden="true" className={styles.chevron} />
        <span className={styles.topic}>{displayHost(requestedName(request))}</span>
        <span className={styles.value}>
          {ids.length > 0 && <code className={styles.code}>{valueText(ids.join(', '), t)}</code>}
          <span className={styles.domain}>{t('tracking.visit.to', { host: displayHost(host) })}</span>
        </span>
        <span className={styles.badges}>
          {isElsewhere(stop) && <StatusChip tone="grey" text={stopText(stop, t)} />}
          {verdict === 'violation' && <StatusChip tone="red" text={t('tracking.visit.violation')} />}
          {verdict === 'review' && <StatusChip tone="orange" text={t('tracking.visit.review')} />}
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
              {t('tracking.visit.by', { initiator: displayUrls(initiator) })}
            </span>
          )}
          {alias !== undefined && <span className={styles.url}>{t('tracking.visit.alias', { alias })}</span>}
        </div>
        <code className={styles.excerpt}>{displayUrls(url)}</code>
        {verdict === 'review' && (
          <Can access={thirdPartiesRoutes.classifyThirdParty.access}>
            <Anchor component={Link} to={thirdPartyPath(host)} fz="sm">
              {t('tracking.visit.classify')}
            </Anchor>
          </Can>
        )}
      </div>
    </details>
  )
}
