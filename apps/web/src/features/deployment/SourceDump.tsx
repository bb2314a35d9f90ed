import { bitbucketRoutes, type Repository } from '@kustos/contract/bitbucket'
import { accessOf, deploymentRoutes } from '@kustos/contract/deployment'
import { formatTime } from '@kustos/contract/grid'
import { can } from '@kustos/contract/permissions'
import { Anchor, Button, Group, Input, Loader, Text, Tooltip } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { requestNodeAction } from '../../entities/deployment/request-deployment.ts'
import { isOver } from '../../entities/deployment/states.ts'
import { errorText } from '../../platform/message-text.ts'
import { keyOf, queryClient, useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { timeAgo } from '../../ui/times.ts'
import { useNow } from '../../ui/use-now.ts'
import styles from './deployment.module.css'
import { isOldDump } from './request-rules.ts'

const { readDeployment } = deploymentRoutes

export function SourceDump({ repository }: { readonly repository: Repository | undefined }) {
  const { t } = useTranslation()
  return (
    <Input.Wrapper component="div" label={t('deployment.forkweb.dump.label')} labelElement="div">
      <div className={styles.dump}>
        {repository === undefined ? (
          <Text c="dimmed">{t('deployment.forkweb.dump.selectSource')}</Text>
        ) : (
          <>
            <Age dumpedAt={repository.kick_dumped_at} />
            <Refresh repository={repository} />
          </>
        )}
      </div>
    </Input.Wrapper>
  )
}

function Age({ dumpedAt }: { readonly dumpedAt: string | null }) {
  const { t, i18n } = useTranslation()
  const now = useNow(30_000)
  const tone = isOldDump(dumpedAt, now) ? 'orange' : 'green'
  if (dumpedAt === null) return <StatusChip tone={tone} text={t('deployment.forkweb.dump.none')} />
  const ago = timeAgo(dumpedAt, now, i18n.language)
  return (
    <Tooltip label={formatTime(dumpedAt)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip with the full time must be reachable by keyboard. */}
      <span tabIndex={0}>
        <StatusChip tone={tone} text={t('deployment.forkweb.dump.createdAgo', { ago })} />
      </span>
    </Tooltip>
  )
}

function Refresh({ repository: { web } }: { readonly repository: Repository }) {
  const { t } = useTranslation()
  const user = useUser()
  const [requesting, setRequesting] = useState(false)
  const [deployment, setDeployment] = useState<number | null>(null)
  const [refusal, setRefusal] = useState<string>()
  const state = useProgress(deployment)
  const refreshing = requesting || state === 'under way'

  if (web === null) return <Text c="dimmed">{t('deployment.forkweb.dump.noWeb')}</Text>
  if (!can(user, accessOf('exportDatabaseKick'))) return null

  async function refresh(id: number) {
    setRequesting(true)
    setRefusal(undefined)
    try {
      setDeployment(await requestNodeAction('exportDatabaseKick', { id }))
    } catch (error) {
      setRefusal(errorText(error))
    } finally {
      setRequesting(false)
    }
  }

  const said =
    refusal ??
    (refreshing ? t('deployment.forkweb.dump.refreshing') : state && t(`deployment.forkweb.dump.${state}`))
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={refreshing ? <Loader size={14} /> : <IconRefresh size={14} />}
        disabled={refreshing}
        onClick={() => void refresh(web.id)}
      >
        {t('deployment.forkweb.dump.refresh')}
      </Button>
      <Group gap={6} role="status" w="100%">
        {said && (
          <Text
            fz="xs"
            {...((refusal !== undefined || state === 'failed') && { c: 'var(--mantine-color-error)' })}
          >
            {said}{' '}
            {deployment !== null && can(user, readDeployment.access) && (
              <Anchor component={Link} to={`/queue/${deployment}`} inherit>
                {t('actions.showDeployment')}
              </Anchor>
            )}
          </Text>
        )}
      </Group>
    </>
  )
}

type Progress = 'under way' | 'fresh' | 'failed' | 'cancelled'

/** Follows the refresh; after its success the repositories are refetched for the dump's age. */
function useProgress(id: number | null): Progress | undefined {
  const mayFollow = can(useUser(), readDeployment.access)
  const { data } = useRoute(
    readDeployment,
    { params: { id: id ?? 0 } },
    {
      enabled: id !== null && mayFollow,
      // Fallback for missed events.
      refetchInterval: (query) => (query.state.data && isOver(query.state.data.state) ? false : 5000),
    },
  )
  const state = data?.state
  useEffect(() => {
    if (state !== 'succeeded') return
    void queryClient.invalidateQueries({ queryKey: keyOf(bitbucketRoutes.listRepositories) })
  }, [state])
  if (id === null) return undefined
  if (state === 'succeeded') return 'fresh'
  if (state === 'failed' || state === 'cancelled') return state
  // Without permission to see deployments only the dump's age changes.
  return mayFollow ? 'under way' : undefined
}
