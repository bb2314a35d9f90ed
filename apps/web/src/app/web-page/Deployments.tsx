import { deploymentRoutes } from '@kustos/contract/deployment'
import { Button, Skeleton } from '@mantine/core'
import { IconRocket } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DeploymentList } from '../../entities/deployment/DeploymentList.tsx'
import { useRoute } from '../../platform/query.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { Section } from '../../ui/Section.tsx'

const initialCount = 5

export function Deployments({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  const query = useRoute(deploymentRoutes.listDeployments, { query: { web: id } })
  const [showsAll, setAll] = useState(false)
  return (
    <Section title={t('webPage.deployments.title')}>
      <QueryState query={query} skeleton={<Skeleton h={160} />}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState
              icon={IconRocket}
              title={t('webPage.deployments.none')}
              hint={t('webPage.deployments.noneHint')}
            />
          ) : (
            <>
              <DeploymentList deployments={data.slice(0, showsAll ? data.length : initialCount)} />
              {!showsAll && data.length > initialCount && (
                <Button variant="default" onClick={() => setAll(true)} style={{ alignSelf: 'flex-start' }}>
                  {t('webPage.all', { count: data.length })}
                </Button>
              )}
            </>
          )
        }
      </QueryState>
    </Section>
  )
}
