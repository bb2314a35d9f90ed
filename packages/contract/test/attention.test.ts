import { expect, it } from 'vitest'
import { alertChannelsRoutes } from '../src/alert-channels/index.ts'
import { attentionAccess, formatEntryId, listAttention, parseEntryId } from '../src/attention/index.ts'
import { bitbucketRoutes } from '../src/bitbucket.ts'
import { deploymentRoutes } from '../src/deployment/index.ts'
import { externalDomainsRoutes } from '../src/external-domains/index.ts'
import { limitisRoutes } from '../src/limitis/index.ts'
import { monitoringRoutes } from '../src/monitoring/index.ts'
import { nodesRoutes } from '../src/nodes/index.ts'
import { rotasRoutes } from '../src/rotas/index.ts'
import { trackingRoutes } from '../src/tracking.ts'
import { trackingContractsRoutes } from '../src/tracking-contracts/index.ts'
import { evaluatedLists, listsWithViews } from '../src/views/index.ts'
import { websRoutes } from '../src/webs/index.ts'

it('lets those users see a kind who may see the list that it is about', () => {
  expect(attentionAccess).toEqual({
    monitoring_stopped: monitoringRoutes.readMonitoring.access,
    web_down: monitoringRoutes.listMonitoredWebs.access,
    alert_channel_refusing: alertChannelsRoutes.listAlertChannels.access,
    rota_unstaffed: { any: rotasRoutes.listRotas.access.all },
    deployment_stuck: deploymentRoutes.listDeployments.access,
    deployment_failed: deploymentRoutes.listDeployments.access,
    tracking_without_consent: trackingRoutes.listTrackingAudits.access,
    tracking_drift: trackingContractsRoutes.readTrackingDrift.access,
    certificate_wrong: websRoutes.listWebs.access,
    certificate_expiring: websRoutes.listWebs.access,
    ipv6_failing: websRoutes.listWebs.access,
    domain_expiring: limitisRoutes.listOwnDomains.access,
    external_domain_expiring: externalDomainsRoutes.listExternalDomains.access,
    dns_changed: websRoutes.listWebs.access,
    registrar_sync_failing: {
      any: [...limitisRoutes.listOwnDomains.access.any, ...limitisRoutes.listEmails.access.any],
    },
    repository_sync_failing: bitbucketRoutes.listRepositories.access,
    node_sync_failing: nodesRoutes.readDiscovery.access,
    framework_unsupported: websRoutes.listWebs.access,
    on_call: { any: rotasRoutes.listRotas.access.all },
    view_entered: {
      any: [...new Set(evaluatedLists.flatMap((list) => listsWithViews[list].access.any))],
    },
  })
})

it('lets users read the list who may see any kind', () => {
  const needed = new Set(Object.values(attentionAccess).flatMap(({ any }) => any))
  const { access } = listAttention
  expect(typeof access === 'object' && 'any' in access && new Set(access.any)).toEqual(needed)
})

it('formats and parses the id of an entry', () => {
  const key = { kind: 'web_down', subject: 17, since: new Date('2026-11-20T12:00:00.123Z') } as const
  expect(parseEntryId(formatEntryId(key))).toEqual(key)
  expect(() => parseEntryId('web_down.17')).toThrow('is not the id of an entry')
})
