import { trackingRoutes } from '@kustos/contract/tracking'
import { websRoutes } from '@kustos/contract/webs'
import { Button, Group, Loader, Skeleton, Stack, Text } from '@mantine/core'
import { IconPencil, IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { InspectionFailure } from '../../entities/inspection/InspectionFailure.tsx'
import styles from '../../entities/tracking/tracking.module.css'
import { useRequestedInspection } from '../../entities/web/actions/use-requested-inspection.ts'
import { WebLayout } from '../../entities/web/WebLayout.tsx'
import { getListUrl } from '../../platform/list-url.ts'
import { useRoute } from '../../platform/query.ts'
import { updateSearchParams } from '../../platform/search-params.ts'
import { Can } from '../../ui/Can.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { Audits } from './Audits.tsx'
import { DriftSection } from './DriftSection.tsx'

export default function TrackingScreen({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  const [searchParams] = useSearchParams()
  const audits = useRoute(trackingRoutes.listTrackingAudits, { params: { id } })
  const { inspection, isUnderWay, request } = useRequestedInspection('audit')
  const state = inspection?.state

  return (
    <WebLayout
      id={id}
      query={useRoute(websRoutes.readWeb, { params: { id } })}
      back={{ to: getListUrl('/hosting/tracking'), label: t('tracking.back') }}
      topic={t('tracking.heading')}
      actions={(web) => (
        <>
          <LinkButton
            to={`/hosting/edit/${web.id}`}
            label={t('tracking.list.edit')}
            icon={IconPencil}
            access={websRoutes.editWeb.access}
            variant="default"
          />
          <Can access={trackingRoutes.updateTracking.access}>
            <Button
              leftSection={<IconRefresh size={16} />}
              loading={isUnderWay}
              onClick={() => void request(web)}
            >
              {t('tracking.list.refresh')}
            </Button>
          </Can>
        </>
      )}
    >
      {(web) => (
        <>
          {/* Always present, so that changes are announced. */}
          <div role="status" className={styles.running}>
            {(state === 'waiting' || state === 'running') && (
              <Group gap={8}>
                <Loader size={16} aria-hidden="true" />
                <Text>{t(`tracking.running.${state}`)}</Text>
              </Group>
            )}
          </div>
          <InspectionFailure inspection={inspection} title={t('tracking.failedTitle')} />
          {web === undefined && <Skeleton h={130} />}
          {web !== undefined && web.deleted_at === null && (
            <DriftSection web={web} latestAudit={audits.data?.data[0]?.id} />
          )}
          <QueryState query={audits} skeleton={<SectionsSkeleton />}>
            {({ data }) =>
              web === undefined ? (
                <SectionsSkeleton />
              ) : (
                <Audits
                  web={web}
                  audits={data}
                  selectedId={Number(searchParams.get('audit'))}
                  auditUrl={(audit) => ({
                    search: `?${updateSearchParams(searchParams, { audit: audit === null ? null : String(audit) })}`,
                  })}
                />
              )
            }
          </QueryState>
        </>
      )}
    </WebLayout>
  )
}

function SectionsSkeleton() {
  return (
    <Stack gap="md">
      <Skeleton h={110} />
      <Skeleton h={360} />
    </Stack>
  )
}
