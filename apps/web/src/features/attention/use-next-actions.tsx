import { alertChannelsPath } from '@kustos/contract/alert-channels'
import { type AttentionEntry, type AttentionKind, attentionRoutes } from '@kustos/contract/attention'
import { accessOf, deploymentRoutes } from '@kustos/contract/deployment'
import { gridStateToQuery, initialGridState } from '@kustos/contract/grid'
import { limitisRoutes } from '@kustos/contract/limitis'
import { can } from '@kustos/contract/permissions'
import { onCallPath } from '@kustos/contract/rotas'
import { viewPath } from '@kustos/contract/views'
import {
  IconAddressBook,
  IconBellRinging,
  IconBrandBitbucket,
  IconHeartRateMonitor,
  IconPhoneCall,
  IconRefresh,
  IconServer2,
  IconTableOptions,
  IconTerminal2,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { domainPath } from '../../entities/domain/paths.ts'
import { discoveryPath } from '../../entities/node/paths.ts'
import { useWebActions } from '../../entities/web/actions/use-web-actions.tsx'
import type { WebActionName } from '../../entities/web/actions/web-actions.ts'
import { write } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import type { RowAction } from '../../ui/data-grid/types.ts'
import { notifyOutcome } from '../../ui/notify.tsx'

/** The actions on a web that help with each kind, the most useful first. */
const webActionsOf: { readonly [Kind in AttentionKind]?: readonly WebActionName[] } = {
  web_down: ['refresh', 'uptime', 'probes', 'open', 'show'],
  tracking_without_consent: ['tracking', 'audit', 'open', 'show'],
  tracking_drift: ['tracking', 'open', 'show'],
  certificate_wrong: ['show', 'open', 'refresh'],
  certificate_expiring: ['refresh', 'open', 'show'],
  ipv6_failing: ['show', 'open'],
  framework_unsupported: ['show', 'edit', 'refresh', 'open'],
  deployment_failed: ['show'],
  deployment_stuck: ['show'],
}

/** The list of own domains. @param search null for all of them */
const ownDomainsPath = (search: string | null) =>
  `/limitis/limitisdomains?${new URLSearchParams(gridStateToQuery({ ...initialGridState, search: search ?? '' }))}`

const { listAttention } = attentionRoutes
const { retryDeployment, readDeployment } = deploymentRoutes

/** What the user can do about an entry; the first one is its next action. */
export function useNextActions(): (entry: AttentionEntry) => readonly RowAction[] {
  const { t } = useTranslation()
  const user = useUser()
  const { actionsOf } = useWebActions('palette')

  const onWeb = ({ kind, web_id, subject, node }: AttentionEntry): readonly RowAction[] => {
    if (web_id === null) return []
    const names = webActionsOf[kind] ?? []
    const offered = actionsOf({ id: web_id, fqdn: subject ?? '', node, deleted_at: null }, names)
    return names.flatMap((name) => offered.find(({ key }) => key === name) ?? [])
  }

  const onDeployment = ({ kind, deployment, subject }: AttentionEntry): readonly RowAction[] => {
    if (deployment === null) return []
    const input = { params: { id: deployment.id } }
    const retry: RowAction = {
      key: 'retry',
      label: t('attention.retry'),
      icon: IconRefresh,
      run: () =>
        void notifyOutcome(subject ?? '', t('deployment.page.retried'), () =>
          write(retryDeployment, input, [listAttention, readDeployment]),
        ),
    }
    const open = { label: t('attention.openDeployment'), icon: IconTerminal2, to: `/queue/${deployment.id}` }
    const mayRetry = kind === 'deployment_failed' && can(user, accessOf(deployment.kind))
    return [...(mayRetry ? [retry] : []), { key: 'deployment', ...open }]
  }

  const link = (
    screen:
      | 'monitoring-webs'
      | 'monitoring-on-call'
      | 'limitis-limitisdomains'
      | 'limitis-emails'
      | 'domains-show'
      | 'hosting-bitbucket'
      | 'monitoring-channels'
      | 'nodes-discovery',
    to: string,
    icon: RowAction['icon'],
  ): RowAction => ({ key: screen, label: t(`screens.${screen}.title`), icon, to })

  const elsewhere = ({ kind, subject, subject_id }: AttentionEntry): readonly RowAction[] => {
    const domains = link('limitis-limitisdomains', ownDomainsPath(subject), IconAddressBook)
    switch (kind) {
      case 'monitoring_stopped':
        return [link('monitoring-webs', '/monitoring/webs', IconHeartRateMonitor)]
      case 'rota_unstaffed':
      case 'on_call':
        return [link('monitoring-on-call', onCallPath, IconPhoneCall)]
      case 'domain_expiring':
        return [domains]
      case 'external_domain_expiring':
      case 'dns_changed':
        return [link('domains-show', domainPath(subject ?? ''), IconAddressBook)]
      case 'registrar_sync_failing':
        return can(user, limitisRoutes.listOwnDomains.access)
          ? [domains]
          : [link('limitis-emails', '/limitis/emails', IconAddressBook)]
      case 'repository_sync_failing':
        return [link('hosting-bitbucket', '/hosting/bitbucket', IconBrandBitbucket)]
      case 'alert_channel_refusing':
        return [link('monitoring-channels', alertChannelsPath, IconBellRinging)]
      case 'node_sync_failing':
        return [link('nodes-discovery', discoveryPath(subject_id), IconServer2)]
      default:
        return []
    }
  }

  const onView = ({ view }: AttentionEntry): readonly RowAction[] =>
    view === null
      ? []
      : [{ key: 'view', label: t('attention.entered.openView'), icon: IconTableOptions, to: viewPath(view) }]

  return (entry) => [...onView(entry), ...onDeployment(entry), ...onWeb(entry), ...elsewhere(entry)]
}
