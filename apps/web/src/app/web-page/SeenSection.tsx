import { inspectionRoutes } from '@kustos/contract/inspections'
import { monitoringRoutes } from '@kustos/contract/monitoring'
import { can } from '@kustos/contract/permissions'
import type { Web } from '@kustos/contract/webs'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { SeenFacts } from '../../features/webs/SeenFacts.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { Section } from '../../ui/Section.tsx'
import { useRoute } from '../query.ts'
import { useUser } from '../session.ts'

const { readMonitoredWeb } = monitoringRoutes

interface Props {
  readonly id: string
  readonly web: Web | undefined
}

/** When each fact of the web was seen last. */
export function SeenSection({ id, web }: Props) {
  const { t } = useTranslation()
  const query = useRoute(inspectionRoutes.listWebFacts, { params: { id } })
  const mayAsk = can(useUser(), readMonitoredWeb.access)
  const isWatched = web?.monitoring_web_active === 1
  const probed = useRoute(readMonitoredWeb, { params: { id } }, { enabled: mayAsk && isWatched })
  return (
    <Section title={t('webs.seen.title')}>
      <QueryState query={query} skeleton={<Skeleton h={170} />}>
        {({ data }) => (
          <SeenFacts facts={data} web={web} probedAt={isWatched ? (probed.data?.probed_at ?? null) : null} />
        )}
      </QueryState>
    </Section>
  )
}
