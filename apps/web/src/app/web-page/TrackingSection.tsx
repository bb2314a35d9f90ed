import { hasViolation, withoutLifted } from '@kustos/contract/tracker-storage'
import { type TrackingAudit, trackingRoutes } from '@kustos/contract/tracking'
import type { Web } from '@kustos/contract/webs'
import { Anchor, Group, Skeleton } from '@mantine/core'
import { IconRadar2 } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { FindingList } from '../../entities/tracking/FindingsSection.tsx'
import { collectFindings } from '../../entities/tracking/findings.ts'
import { trackingPath } from '../../entities/tracking/paths.ts'
import { ServiceChips } from '../../entities/tracking/ServiceChips.tsx'
import { Violations } from '../../entities/tracking/Violations.tsx'
import { useRoute } from '../../platform/query.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { Section } from '../../ui/Section.tsx'
import { useNow } from '../../ui/use-now.ts'

export function TrackingSection({ id, web }: { readonly id: string; readonly web: Web | undefined }) {
  const { t } = useTranslation()
  const query = useRoute(trackingRoutes.listTrackingAudits, { params: { id } })
  return (
    <Section
      title={t('tracking.heading')}
      beside={
        <Anchor component={Link} to={trackingPath(Number(id))}>
          {t('webPage.tracking.more')}
        </Anchor>
      }
    >
      <QueryState query={query} skeleton={<Skeleton h={160} />}>
        {({ data, violations }) =>
          web === undefined ? (
            <Skeleton h={160} />
          ) : (
            <Findings web={web} audits={data} violations={violations} />
          )
        }
      </QueryState>
    </Section>
  )
}

interface FindingsProps {
  readonly web: Web
  readonly audits: readonly TrackingAudit[]
  /** By the policy as it is now. */
  readonly violations: readonly string[]
}

function Findings({ web, audits, violations }: FindingsProps) {
  const { t } = useTranslation()
  const now = useNow(60_000)
  const { tracking_data: tracking } = web
  const findings = useMemo(() => collectFindings(audits, 0, tracking, now), [audits, tracking, now])
  if (audits.length === 0)
    return (
      <EmptyState icon={IconRadar2} title={t('tracking.audit.none')} hint={t('tracking.audit.noneHint')} />
    )
  if (audits.every(({ outcome }) => outcome === 'failed'))
    return <EmptyState icon={IconRadar2} title={t('tracking.audit.noneSeen')} />
  const latest = audits.find((audit) => audit.visit !== null)?.visit ?? null
  const visit = latest && withoutLifted(latest, violations)
  // Those by a policy that was changed since.
  const names = visit !== null && hasViolation(visit) ? [] : (tracking?.before_consent ?? [])
  return (
    <>
      {visit && <Violations visit={visit} />}
      {names.length > 0 && (
        <Group gap="xs">
          {t('tracking.visit.phases.before')}: <ServiceChips names={names} />
        </Group>
      )}
      <FindingList findings={findings} isComplete={audits[0]?.is_complete === true} />
    </>
  )
}
