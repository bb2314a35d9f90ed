import { type Deployment, deploymentRoutes } from '@kustos/contract/deployment'
import { formatTime } from '@kustos/contract/grid'
import { Alert, Group, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core'
import {
  IconAlertTriangle,
  IconHourglass,
  IconListSearch,
  IconPlayerStop,
  IconRotateClockwise,
} from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isOver, stateTones } from '../../entities/deployment/states.ts'
import { useDeploymentActions } from '../../entities/deployment/use-deployment-actions.ts'
import { getListUrl } from '../../platform/list-url.ts'
import { storedText } from '../../platform/message-text.ts'
import { useRoute } from '../../platform/query.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { ControlButton } from '../../ui/ControlButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { elapsedTime, timeAgo } from '../../ui/times.ts'
import { useNow } from '../../ui/use-now.ts'
import { DeploymentFacts } from './DeploymentFacts.tsx'
import styles from './deployment.module.css'
import { LogView } from './LogView.tsx'
import { StepList } from './StepList.tsx'
import { stepName } from './step-name.ts'

/** Fallback for missed events. */
const pollIntervalMs = 10_000

export default function DeploymentScreen({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  return (
    <>
      <BackLink to={getListUrl('/queue')} label={t('deployment.page.back')} />
      {/^[1-9]\d{0,9}$/.test(id) ? <Loaded id={Number(id)} /> : <Missing id={id} />}
    </>
  )
}

function Loaded({ id }: { readonly id: number }) {
  const { t } = useTranslation()
  const query = useRoute(
    deploymentRoutes.readDeployment,
    { params: { id } },
    {
      refetchInterval: ({ state: { data } }) => (data && isOver(data.state) ? false : pollIntervalMs),
    },
  )
  // An id that is too large is rejected as input.
  if (query.error?.status === 404 || query.error?.status === 422) return <Missing id={String(id)} />
  return (
    <>
      {query.data === undefined && <PageHeader title={t('deployment.page.untitled', { id })} />}
      <QueryState query={query} skeleton={<DeploymentSkeleton />}>
        {(deployment) => <Page deployment={deployment} />}
      </QueryState>
    </>
  )
}

function Page({ deployment }: { readonly deployment: Deployment }) {
  const { t } = useTranslation()
  const { kind, fqdn, state } = deployment
  const now = useNow(isOver(state) ? 30_000 : 1000)
  const title = t('deployment.page.heading', { kind: t(`actions.${kind}.label`), fqdn })
  useEffect(() => {
    document.title = `${title} · ${t('app.title')}`
  }, [title, t])
  return (
    <Stack gap="md" className={styles.page}>
      <Head deployment={deployment} title={title} now={now} />
      {/* Outside the part that updates every second, so only changes of the state are announced. */}
      <VisuallyHidden role="status">
        {t('deployment.page.titleWithState', { heading: title, state: t(`deployment.states.${state}`) })}
      </VisuallyHidden>
      {state === 'waiting' && <Waiting deployment={deployment} />}
      {state === 'failed' && <Failed deployment={deployment} />}
      <DeploymentFacts deployment={deployment} />
      <StepList steps={deployment.steps} now={now} />
      <LogView deployment={deployment} />
    </Stack>
  )
}

interface HeadProps {
  readonly deployment: Deployment
  readonly title: string
  readonly now: number
}

function Head({ deployment, title, now }: HeadProps) {
  const { t, i18n } = useTranslation()
  const { state, requested_by: by, created_at: created } = deployment
  const { retry, cancel } = useDeploymentActions()({ ...deployment, name: deployment.fqdn })
  const ago = timeAgo(created, now, i18n.language)
  return (
    <div>
      <PageHeader
        title={title}
        beside={
          <Group gap={8} className={styles.state}>
            <StatusChip
              tone={stateTones[state]}
              text={
                deployment.cancel_requested && !isOver(state)
                  ? t('deployment.page.cancelling')
                  : t(`deployment.states.${state}`)
              }
            />
            <span className={styles.clock}>
              {state !== 'waiting' && elapsedTime(deployment, now, i18n.language)}
            </span>
          </Group>
        }
        actions={
          <>
            <ControlButton
              control={retry}
              label={t('deployment.page.retry')}
              icon={IconRotateClockwise}
              isPrimary
            />
            <ControlButton
              control={deployment.cancel_requested ? null : cancel}
              label={t('deployment.page.cancel')}
              icon={IconPlayerStop}
            />
          </>
        }
      />
      <Text c="dimmed" mt={-12} title={formatTime(created)}>
        {by === null
          ? t('deployment.page.requestedByNobody', { ago })
          : t('deployment.page.requestedBy', { email: by.email, ago })}
      </Text>
    </div>
  )
}

function Waiting({ deployment }: { readonly deployment: Deployment }) {
  const { t } = useTranslation()
  const { waits_for: reason, place } = deployment
  return (
    <Alert variant="default" icon={<IconHourglass size={16} />}>
      {reason === null
        ? t('deployment.page.waiting')
        : storedText(reason, deployment.waits_for_code, deployment.waits_for_params)}{' '}
      {place !== null && t('deployment.page.place', { place })}
    </Alert>
  )
}

function Failed({ deployment }: { readonly deployment: Deployment }) {
  const { t } = useTranslation()
  const { error, steps } = deployment
  const step = steps.find(({ state }) => state === 'failed')
  const reasons = [
    ...(error === null ? [] : [storedText(error, deployment.error_code, deployment.error_params)]),
    // The deployment's error usually repeats the step's.
    ...(step?.error == null || error?.includes(step.error)
      ? []
      : [storedText(step.error, step.error_code, step.error_params)]),
  ]
  return (
    <Alert
      color="red"
      p="md"
      role="alert"
      icon={<IconAlertTriangle size={16} />}
      title={
        step === undefined
          ? t('deployment.page.failed')
          : t('deployment.page.failedAt', { step: stepName(step) })
      }
      classNames={{ title: styles.failedTitle, icon: styles.failedTitle }}
    >
      {reasons.map((reason) => (
        <Text key={reason} style={{ overflowWrap: 'anywhere' }}>
          {reason}
        </Text>
      ))}
    </Alert>
  )
}

function Missing({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  return (
    <>
      <PageHeader title={t('deployment.page.untitled', { id })} />
      <EmptyState
        icon={IconListSearch}
        title={t('deployment.page.missing', { id })}
        hint={t('deployment.page.missingHint')}
        action={<LinkButton to="/queue" label={t('deployment.page.back')} />}
      />
    </>
  )
}

function DeploymentSkeleton() {
  const { t } = useTranslation()
  return (
    <Stack gap="md" role="status" aria-label={t('grid.loading')}>
      <Skeleton h={20} w={280} maw="100%" />
      <Skeleton h={44} />
      <Skeleton h={32} w={420} maw="100%" />
      <Skeleton h={360} />
    </Stack>
  )
}
