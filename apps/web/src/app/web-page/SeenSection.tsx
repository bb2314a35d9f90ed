import { inspectionRoutes } from '@kustos/contract/inspections'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { SeenFacts } from '../../features/webs/SeenFacts.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { Section } from '../../ui/Section.tsx'
import { useRoute } from '../query.ts'

/** When each fact of the web was seen last. */
export function SeenSection({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  const query = useRoute(inspectionRoutes.listWebFacts, { params: { id } })
  return (
    <Section title={t('webs.seen.title')}>
      <QueryState query={query} skeleton={<Skeleton h={170} />}>
        {({ data }) => <SeenFacts facts={data} />}
      </QueryState>
    </Section>
  )
}
