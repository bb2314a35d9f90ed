import { maintenanceRoutes } from '@kustos/contract/maintenance'
import { type NodeDetails, type NodeOverview, nodesRoutes } from '@kustos/contract/nodes'
import { can } from '@kustos/contract/permissions'
import { timelineWeeks } from '@kustos/contract/timeline'
import { Button, Skeleton, Text } from '@mantine/core'
import { IconPencil, IconPlugConnected, IconServerOff, IconWorldSearch } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { DeploymentList } from '../../entities/deployment/DeploymentList.tsx'
import { MaintenanceSection } from '../../entities/maintenance/MaintenanceSection.tsx'
import { discoveryPath, nodePath } from '../../entities/node/paths.ts'
import { seesTimelines, TimelineSection } from '../../entities/timeline/TimelineSection.tsx'
import { EndingCertificates } from '../../entities/web/EndingCertificates.tsx'
import { WebSummaries } from '../../entities/web/WebSummaries.tsx'
import { getListUrl } from '../../platform/list-url.ts'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { Can } from '../../ui/Can.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import styles from '../../ui/page-sections.module.css'
import { QueryState } from '../../ui/QueryState.tsx'
import { Section } from '../../ui/Section.tsx'
import { ConnectionDialog } from './ConnectionDialog.tsx'
import { EditNodeDialog } from './NodeDialog.tsx'
import { NodeDrift } from './NodeDrift.tsx'
import { NodeFacts } from './NodeFacts.tsx'
import { NodeSoftware } from './NodeSoftware.tsx'

const { listNodes, readNodeOverview, readNodeTimeline } = nodesRoutes

interface Props {
  readonly name: string
  /** What needs attention. */
  readonly attention: ReactNode
}

export default function NodeScreen({ name, attention }: Props) {
  const { t } = useTranslation()
  const user = useUser()
  const query = useRoute(readNodeOverview, { params: { name } })
  useEffect(() => {
    document.title = `${name} · ${t('app.title')}`
  }, [name, t])
  const isMissing = query.error?.status === 404
  const details = isMissing ? null : (query.data?.details ?? null)
  return (
    <>
      {can(user, listNodes.access) ? (
        <BackLink to={getListUrl('/nodes')} label={t('screens.nodes.title')} />
      ) : (
        <BackLink to={getListUrl('/hosting')} label={t('webPage.back')} />
      )}
      <PageHeader title={name} actions={details && <Actions node={details} />} />
      {isMissing ? (
        <EmptyState icon={IconServerOff} title={t('nodes.page.missing')} hint={t('nodes.page.missingHint')} />
      ) : (
        <div className={styles.sections}>
          <QueryState query={query} skeleton={<Skeleton h={900} />}>
            {(node) => <Parts node={node} attention={attention} />}
          </QueryState>
          {seesTimelines(user) && <NodeTimeline name={name} />}
        </div>
      )}
    </>
  )
}

function Parts({ node, attention }: Pick<Props, 'attention'> & { readonly node: NodeOverview }) {
  const { t } = useTranslation()
  const { drift, webs, uptime, deployments } = node
  return (
    <div className={styles.sections}>
      <div className={styles.columns}>
        <NodeFacts node={node} />
        <div className={styles.sections}>
          <NodeSoftware node={node} />
          {drift !== null && <NodeDrift node={node.id} drift={drift} />}
        </div>
      </div>
      {attention}
      <Can access={maintenanceRoutes.listWindows.access}>
        <MaintenanceSection of={{ node: node.name }} />
      </Can>
      {webs !== null && <WebSummaries webs={webs} uptime={uptime} shows="customer" />}
      <div className={styles.columns}>
        {deployments !== null && (
          <Section title={t('nodes.page.deployments')}>
            {deployments.under_way.length + deployments.ended.length === 0 ? (
              <Text c="dimmed">{t('nodes.page.noDeployments')}</Text>
            ) : (
              <DeploymentList deployments={[...deployments.under_way, ...deployments.ended]} showsWeb />
            )}
          </Section>
        )}
        {webs !== null && <EndingCertificates webs={webs} />}
      </div>
    </div>
  )
}

function NodeTimeline({ name }: { readonly name: string }) {
  const [weeks, setWeeks] = useState(String(timelineWeeks.default))
  const query = useRoute(
    readNodeTimeline,
    { params: { name }, query: { weeks } },
    { placeholderData: keepPreviousData },
  )
  return <TimelineSection query={query} weeks={weeks} onWeeks={setWeeks} changes={{ search: name }} />
}

function Actions({ node }: { readonly node: NodeDetails }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'edit' | 'test' | null>(null)
  const close = () => setDialog(null)
  return (
    <>
      <LinkButton
        to={discoveryPath(node.id)}
        label={t('nodes.discovery.label')}
        icon={IconWorldSearch}
        variant="default"
      />
      <Button
        variant="default"
        leftSection={<IconPlugConnected size={16} />}
        onClick={() => setDialog('test')}
      >
        {t('nodes.test.label')}
      </Button>
      <Button variant="default" leftSection={<IconPencil size={16} />} onClick={() => setDialog('edit')}>
        {t('nodes.edit')}
      </Button>
      {dialog === 'edit' && (
        <EditNodeDialog
          node={node}
          onSaved={(name) => {
            if (name !== node.name) void navigate(nodePath(name), { replace: true })
          }}
          onClose={close}
        />
      )}
      {dialog === 'test' && <ConnectionDialog node={node} onClose={close} />}
    </>
  )
}
