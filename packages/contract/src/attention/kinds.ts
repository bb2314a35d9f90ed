import { bitbucketRoutes } from '../bitbucket.ts'
import { deploymentRoutes } from '../deployment/index.ts'
import { limitisRoutes } from '../limitis/index.ts'
import { monitoringRoutes } from '../monitoring/index.ts'
import { nodesRoutes } from '../nodes/index.ts'
import { can, type PermissionHolder, type Requirement } from '../permissions.ts'
import { trackingRoutes } from '../tracking.ts'
import { websRoutes } from '../webs/index.ts'

/** What needs attention, most urgent first, and who may see it: whoever may see the list that it is about. */
export const attentionAccess = {
  monitoring_stopped: monitoringRoutes.readMonitoring.access,
  web_down: monitoringRoutes.listMonitoredWebs.access,
  deployment_stuck: deploymentRoutes.listDeployments.access,
  deployment_failed: deploymentRoutes.listDeployments.access,
  tracking_without_consent: trackingRoutes.listTrackingAudits.access,
  certificate_expiring: websRoutes.listWebs.access,
  domain_expiring: limitisRoutes.listOwnDomains.access,
  registrar_sync_failing: {
    any: [...limitisRoutes.listOwnDomains.access.any, ...limitisRoutes.listEmails.access.any],
  },
  repository_sync_failing: bitbucketRoutes.listRepositories.access,
  node_sync_failing: nodesRoutes.readDiscovery.access,
  framework_unsupported: websRoutes.listWebs.access,
} as const satisfies Readonly<Record<string, Requirement>>

export type AttentionKind = keyof typeof attentionAccess

export const attentionKinds = Object.keys(attentionAccess) as [AttentionKind, ...AttentionKind[]]

/** The kinds that a user may see. */
export const visibleKinds = (user: PermissionHolder | null): readonly AttentionKind[] =>
  attentionKinds.filter((kind) => can(user, attentionAccess[kind]))

/** Days before their end from which certificates and domains need attention. */
export const certificateAttentionDays = 14
export const domainAttentionDays = 30
