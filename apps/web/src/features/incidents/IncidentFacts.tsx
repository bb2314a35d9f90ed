import { formatTime } from '@kustos/contract/grid'
import type { IncidentDetails } from '@kustos/contract/incidents'
import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { CustomerLink } from '../../entities/customer/CustomerLink.tsx'
import { downtimeText } from '../../entities/incident/downtime-text.ts'
import { HttpChip } from '../../entities/incident/HttpChip.tsx'
import { incidentPath } from '../../entities/incident/paths.ts'
import { NodeLink } from '../../entities/node/NodeLink.tsx'
import { webHref } from '../../entities/web/paths.ts'
import { storedText } from '../../platform/message-text.ts'
import { useUser } from '../../platform/session.ts'
import { FactList } from '../../ui/FactList.tsx'
import styles from '../../ui/page-sections.module.css'
import { Section } from '../../ui/Section.tsx'
import { DeploymentFact } from './DeploymentFact.tsx'

/** What happened, and who has it. */
export function IncidentFacts({ incident }: { readonly incident: IncidentDetails }) {
  const { t } = useTranslation()
  const user = useUser()
  const { web, outage, node, customers, ended_at: end } = incident
  const { acknowledged_at: acknowledgedAt, snoozed_until: snoozedUntil } = incident
  const href = web && webHref(user, web)
  const facts: Readonly<Record<string, ReactNode>> = {
    [t('incidents.facts.web')]:
      href === null ? (
        web?.fqdn
      ) : (
        <Anchor component={Link} to={href} inherit>
          {web?.fqdn}
        </Anchor>
      ),
    [t('incidents.facts.outage')]: outage && (
      <Anchor component={Link} to={incidentPath(outage.id)} inherit>
        {t('incidents.facts.ofNode', { node: outage.node ?? '–' })}
      </Anchor>
    ),
    [t('incidents.facts.node')]: node && <NodeLink name={node} />,
    [t('incidents.facts.customer')]:
      customers.length > 0 &&
      customers.length <= 5 &&
      customers.map((code, index) => (
        <span key={code}>
          {index > 0 && ', '}
          <CustomerLink code={code} />
        </span>
      )),
    [t('incidents.facts.status')]: <HttpChip status={incident.status} />,
    [t('incidents.facts.reason')]: storedText(incident.reason, incident.reason_code, incident.reason_params),
    [t('incidents.facts.since')]: formatTime(incident.started_at),
    [t('incidents.facts.ended')]: end === null ? t('incidents.facts.ongoing') : formatTime(end),
    [t('incidents.facts.downtime')]: downtimeText(incident, t),
    [t('incidents.facts.alerted')]: incident.alerted_at && formatTime(incident.alerted_at),
    [t('incidents.facts.acknowledged')]:
      acknowledgedAt && `${incident.acknowledged_by?.email ?? '–'}, ${formatTime(acknowledgedAt)}`,
    [t('incidents.facts.snoozed')]:
      snoozedUntil && `${formatTime(snoozedUntil)}, ${incident.snoozed_by?.email ?? '–'}`,
    [t('incidents.facts.assigned')]: incident.assigned_to?.email ?? t('incidents.facts.nobody'),
    [t('incidents.facts.note')]: incident.note && (
      <span className={styles.text} translate="no">
        {incident.note}
      </span>
    ),
    [t('incidents.facts.deployment')]: <DeploymentFact incident={incident} />,
  }
  return (
    <Section title={t('incidents.facts.title')}>
      <FactList facts={Object.entries(facts).filter(([, fact]) => Boolean(fact))} />
    </Section>
  )
}
