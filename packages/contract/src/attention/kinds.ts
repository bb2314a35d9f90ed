import { can, type Permission, type PermissionHolder } from '../permissions.ts'

const any = (...permissions: readonly Permission[]) => ({ any: permissions })

/**
 * What needs attention, most urgent first, and who may see it: users who may see the list that it is about. Repeats the access of
 * these routes, as a test checks, so that the dashboard does not load them all.
 */
export const attentionAccess = {
  monitoring_stopped: any('view monitoring web statistic'),
  web_down: any('view monitoring web statistic'),
  alert_channel_refusing: any('edit alert channels', 'view monitoring web statistic'),
  rota_unstaffed: any('view monitoring web statistic'),
  deployment_stuck: any('view queue'),
  deployment_failed: any('view queue'),
  tracking_without_consent: any('view webs'),
  tracking_drift: any('view webs'),
  certificate_wrong: any('view webs'),
  certificate_expiring: any('view webs'),
  ipv6_failing: any('view webs'),
  domain_expiring: any('view limitis domains'),
  external_domain_expiring: any('view external domains'),
  dns_changed: any('view webs'),
  registrar_sync_failing: any('view limitis domains', 'view limitis email'),
  repository_sync_failing: any('view bitbucket'),
  node_sync_failing: any('manage nodes'),
  framework_unsupported: any('view webs'),
  // The user on call, when a shift begins.
  on_call: any('view monitoring web statistic'),
  // All users who may open a list that the server evaluates. They see only entries of the views that they follow.
  view_entered: any(
    'view webs',
    'view customers',
    'manage nodes',
    'view bitbucket',
    'view external domains',
    'view limitis domains',
    'view limitis email',
    'view monitoring web statistic',
    'view admin panel',
  ),
} as const

export type AttentionKind = keyof typeof attentionAccess

export const attentionKinds = Object.keys(attentionAccess) as [AttentionKind, ...AttentionKind[]]

/** The kinds that a user may see. */
export const visibleKinds = (user: PermissionHolder | null): readonly AttentionKind[] =>
  attentionKinds.filter((kind) => can(user, attentionAccess[kind]))

/** Whether entries of a kind belong to a single user, so that nobody else sees them or can be assigned one. */
export const isPersonalKind = (kind: AttentionKind): boolean => kind === 'view_entered' || kind === 'on_call'

/** Days before their end from which domains need attention; certificates do from their first stage on (`endingStages`). */
export const domainAttentionDays = 30
/** Days after which a change of DNS needs no attention any more. */
export const dnsAttentionDays = 14
