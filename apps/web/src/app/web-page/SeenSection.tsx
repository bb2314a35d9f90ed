import { inspectionRoutes } from '@kustos/contract/inspections'
import { monitoringRoutes } from '@kustos/contract/monitoring'
import { can } from '@kustos/contract/permissions'
import type { Web } from '@kustos/contract/webs'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { SeenFacts } from '../../entities/web/SeenFacts.tsx'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { QueryState } from '../../ui/QueryState.tsx'
import { Section } from '../../ui/Section.tsx'

const { readMonitoredWeb } = monitoringRoutes

export function SeenSection({ id, web }: { readonly id: string; readonly web: Web | undefined }) {
  const { t } = useTranslation()
  const query = useRoute(inspectionRoutes.listWebFacts, { params: { id } })
  const mayAsk = can(useUser(), readMonitoredWeb.access)
  const isMonitored = web?.monitoring_web_active === 1
  const probed = useRoute(readMonitoredWeb, { params: { id } }, { enabled: mayAsk && isMonitored })
  return (
    <Section title={t('webs.seen.title')}>
      <QueryState query={query} skeleton={<Skeleton h={170} />}>
        {({ data }) => (
          <SeenFacts
            facts={data}
            web={web}
            probedAt={isMonitored ? (probed.data?.probed_at ?? null) : null}
          />
        )}
      </QueryState>
    </Section>
  )
}
