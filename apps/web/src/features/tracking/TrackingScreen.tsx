import { trackingRoutes } from '@kustos/contract/tracking'
import { type Web, websRoutes } from '@kustos/contract/webs'
import { Button, Skeleton, Stack } from '@mantine/core'
import { IconPencil, IconRefresh, IconWorldOff } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams, useSearchParams } from 'react-router-dom'
import { useRoute } from '../../app/query.ts'
import { useInspection } from '../../app/use-inspection.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { Can } from '../../ui/Can.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { Audits } from './Audits.tsx'
import { Progress } from './Progress.tsx'
import { listAddress } from './paths.ts'
import styles from './tracking.module.css'
import { useRefresh } from './use-refresh.tsx'

/** What audits found on one web's page, with the evidence, and what changed. */
export function TrackingScreen() {
  const { id = '' } = useParams()
  return <TrackingPage key={id} id={id} />
}

function TrackingPage({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  const query = useRoute(websRoutes.readWeb, { params: { id } })
  const { data: web, error } = query
  const fqdn = web?.fqdn
  useEffect(() => {
    if (fqdn !== undefined) document.title = `${fqdn} · ${t('tracking.heading')} · ${t('app.title')}`
  }, [fqdn, t])
  return (
    <>
      <BackLink to={listAddress()} label={t('tracking.back')} />
      {error?.status === 404 ? (
        <>
          <PageHeader title={t('tracking.heading')} />
          <Missing id={id} />
        </>
      ) : (
        <QueryState query={query} skeleton={<PageSkeleton />}>
          {(known) => <Page web={known} />}
        </QueryState>
      )}
    </>
  )
}

function Page({ web }: { readonly web: Web }) {
  const { t } = useTranslation()
  const { id, fqdn } = web
  const [address, setAddress] = useSearchParams()
  const audits = useRoute(trackingRoutes.listTrackingAudits, { params: { id } })
  const { inspection, isUnderWay } = useInspection(address.get('inspection'))
  const refresh = useRefresh()

  async function onRefresh() {
    const asked = await refresh(web)
    if (asked === null) return
    setAddress(
      (now) => {
        now.set('inspection', String(asked))
        now.delete('audit')
        return now
      },
      { replace: true },
    )
  }

  const refreshButton = (
    <Can access={trackingRoutes.updateTracking.access}>
      <Button leftSection={<IconRefresh size={16} />} loading={isUnderWay} onClick={() => void onRefresh()}>
        {t('tracking.list.refresh')}
      </Button>
    </Can>
  )
  return (
    <>
      <PageHeader
        title={t('tracking.heading')}
        beside={<span className={styles.fqdn}>{fqdn}</span>}
        actions={
          <>
            <Can access={websRoutes.editWeb.access}>
              <Button
                component={Link}
                to={`/hosting/edit/${id}`}
                variant="default"
                leftSection={<IconPencil size={16} />}
              >
                {t('tracking.list.edit')}
              </Button>
            </Can>
            {refreshButton}
          </>
        }
      />
      <Stack gap="md">
        <Progress inspection={inspection} />
        <QueryState query={audits} skeleton={<SectionsSkeleton />}>
          {({ data }) => (
            <Audits
              web={web}
              audits={data}
              chosen={Number(address.get('audit'))}
              address={(audit) => ({ search: audit === null ? '' : `?audit=${audit}` })}
            />
          )}
        </QueryState>
      </Stack>
    </>
  )
}

function PageSkeleton() {
  return (
    <Stack gap="md">
      <Skeleton h={32} w={320} />
      <SectionsSkeleton />
    </Stack>
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

function Missing({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon={IconWorldOff}
      title={t('tracking.missing', { id })}
      hint={t('tracking.missingHint')}
      action={
        <Button component={Link} to={listAddress()}>
          {t('tracking.back')}
        </Button>
      }
    />
  )
}
