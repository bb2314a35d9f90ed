import { inspectionRoutes } from '@kustos/contract/inspections'
import { type Web, websRoutes } from '@kustos/contract/webs'
import { Button, Skeleton, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { InspectionFailure } from '../../entities/inspection/InspectionFailure.tsx'
import { useRequestedInspection } from '../../entities/web/actions/use-requested-inspection.ts'
import { SeenFacts } from '../../entities/web/SeenFacts.tsx'
import styles from '../../entities/web/webs.module.css'
import { useRoute } from '../../platform/query.ts'
import { Can } from '../../ui/Can.tsx'
import { FormSection, FormWidthContainer, FullWidthField } from '../../ui/contract-form/FormSection.tsx'
import { QueryState } from '../../ui/QueryState.tsx'

/** When each fact of a web was last seen, with a button that refreshes them. */
export function LastSeen({ web }: { readonly web: Web }) {
  const { t } = useTranslation()
  const query = useRoute(inspectionRoutes.listWebFacts, { params: { id: web.id } })
  const { inspection, isUnderWay, request } = useRequestedInspection('refresh')
  const state = inspection?.state
  return (
    <FormWidthContainer>
      <FormSection title={t('webs.seen.title')} hint={t('webs.seen.hint')}>
        <FullWidthField>
          <QueryState query={query} skeleton={<Skeleton h={150} />}>
            {({ data }) => <SeenFacts facts={data} web={web} />}
          </QueryState>
        </FullWidthField>
        <FullWidthField>
          <InspectionFailure inspection={inspection} title={t('webs.seen.failedTitle')} mb="sm" />
          <div className={styles.asking}>
            <Can access={websRoutes.refreshWeb.access}>
              <Button
                variant="default"
                leftSection={<IconRefresh size={16} />}
                loading={isUnderWay}
                onClick={() => void request(web)}
              >
                {t('actions.refresh.label')}
              </Button>
            </Can>
            {/* There from the start, so that it is read out. */}
            <Text role="status" c="dimmed">
              {(state === 'waiting' || state === 'running') && t(`webs.seen.${state}`)}
            </Text>
          </div>
        </FullWidthField>
      </FormSection>
    </FormWidthContainer>
  )
}
