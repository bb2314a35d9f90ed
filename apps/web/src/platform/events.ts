import { alertChannelsRoutes } from '@kustos/contract/alert-channels'
import { alertRoutesRoutes } from '@kustos/contract/alert-routes'
import { listAttention } from '@kustos/contract/attention'
import { authRoutes } from '@kustos/contract/auth'
import { batchesRoutes } from '@kustos/contract/batches'
import { bitbucketRoutes } from '@kustos/contract/bitbucket'
import { certificatesRoutes } from '@kustos/contract/certificates'
import { checksRoutes } from '@kustos/contract/checks'
import { customersRoutes } from '@kustos/contract/customers'
import { deploymentRoutes } from '@kustos/contract/deployment'
import { domainsRoutes } from '@kustos/contract/domains'
import type { ChangedEvent, EventList } from '@kustos/contract/events'
import { externalDomainsRoutes } from '@kustos/contract/external-domains'
import { incidentsRoutes } from '@kustos/contract/incidents'
import { inspectionRoutes } from '@kustos/contract/inspections'
import { limitisRoutes } from '@kustos/contract/limitis'
import { logsRoutes } from '@kustos/contract/logs'
import { maintenanceRoutes } from '@kustos/contract/maintenance'
import { monitoringRoutes } from '@kustos/contract/monitoring'
import { nodesRoutes } from '@kustos/contract/nodes'
import { queueRoutes } from '@kustos/contract/queue'
import { rotasRoutes } from '@kustos/contract/rotas'
import { tagsRoutes } from '@kustos/contract/tags'
import { thirdPartiesRoutes } from '@kustos/contract/third-parties'
import { trackingRoutes } from '@kustos/contract/tracking'
import { trackingContractsRoutes } from '@kustos/contract/tracking-contracts'
import { emailChangeRoutes, usersRoutes } from '@kustos/contract/users'
import { viewsRoutes } from '@kustos/contract/views'
import { websRoutes } from '@kustos/contract/webs'
import type { QueryKey } from '@tanstack/react-query'
import { keyOf, refreshAfterEvent, refreshSoon } from './query.ts'
import { refreshUser } from './session.ts'
import { listenToEvents } from './shared-events.ts'

const { listCustomers, readCustomer, readTimeline } = customersRoutes
const { listNodes, readDiscovery, readNodeOverview, readNodeTimeline } = nodesRoutes
const { readInspection, listWebFacts } = inspectionRoutes
const { listDeployments, listOwnDeployments, readDeployment } = deploymentRoutes
const { listStatistics, listUptime, listIncidents, listMonitoredWebs, readMonitoredWeb, readMonitoring } =
  monitoringRoutes
const { listIncidentComments, listIncidentEntries, readIncident, readIncidentTimeline } = incidentsRoutes
const { readTrackingDrift, readCustomerContract, readWebContract } = trackingContractsRoutes
const { listUsers, listRoles } = usersRoutes

const timelines = [keyOf(readTimeline), keyOf(readNodeTimeline)]
/** Whether webs keep their tracking contracts. */
const drift = [keyOf(readTrackingDrift), keyOf(readCustomerContract)]
const contracts = [...drift, keyOf(readWebContract)]
const { readWebCheck, readCustomerCheck, readTagCheck } = checksRoutes
const checks = [keyOf(readWebCheck), keyOf(readCustomerCheck), keyOf(readTagCheck)]

/** The queries that become stale when a list changes. `id` is set if one row changed. */
export const staleAfter: Readonly<Record<EventList, (id?: number) => readonly QueryKey[]>> = {
  webs: () => [keyOf(websRoutes.listWebs), keyOf(websRoutes.readWeb)],
  nodes: () => [keyOf(listNodes), keyOf(readNodeOverview)],
  customers: () => [keyOf(listCustomers), keyOf(readCustomer), keyOf(readTimeline)],
  tags: () => [keyOf(tagsRoutes.listTags)],
  third_parties: () => [keyOf(thirdPartiesRoutes.listThirdParties), keyOf(trackingRoutes.listTrackingAudits)],
  deployments: (id) => [
    keyOf(listDeployments),
    keyOf(readNodeOverview),
    keyOf(queueRoutes.listJobs),
    ...timelines,
    id === undefined ? keyOf(readDeployment) : keyOf(readDeployment, { params: { id } }),
  ],
  own_deployments: () => [keyOf(listOwnDeployments)],
  batches: (id) => [
    keyOf(batchesRoutes.listBatches),
    id === undefined ? keyOf(batchesRoutes.readBatch) : keyOf(batchesRoutes.readBatch, { params: { id } }),
  ],
  own_batches: () => [keyOf(batchesRoutes.listOwnBatches)],
  // The log view fetches only new lines.
  deployment_lines: () => [],
  repositories: () => [keyOf(bitbucketRoutes.listRepositories)],
  monitored_webs: () => [keyOf(listMonitoredWebs), keyOf(readMonitoredWeb), keyOf(readMonitoring)],
  probes: () => [keyOf(listStatistics)],
  probe_rounds: () => [
    // Whether monitoring has stopped.
    keyOf(listAttention),
    keyOf(listUptime),
    // A round extends open incidents, announces them and makes them members of outages, without an event of its own.
    keyOf(listIncidents),
    keyOf(listIncidentEntries),
    keyOf(readIncident),
    keyOf(readIncidentTimeline),
    keyOf(listMonitoredWebs),
    keyOf(readMonitoredWeb),
    keyOf(readMonitoring),
  ],
  incidents: () => [
    keyOf(listIncidents),
    keyOf(listIncidentEntries),
    keyOf(readIncident),
    keyOf(readIncidentTimeline),
    keyOf(listIncidentComments),
    keyOf(listUptime),
    keyOf(readMonitoring),
    ...timelines,
  ],
  alert_channels: () => [keyOf(alertChannelsRoutes.listAlertChannels)],
  alert_routes: () => [
    keyOf(alertRoutesRoutes.listAlertRoutes),
    keyOf(alertRoutesRoutes.previewAlert),
    keyOf(rotasRoutes.listRotas),
  ],
  rotas: () => [keyOf(rotasRoutes.listRotas), keyOf(alertRoutesRoutes.previewAlert)],
  maintenance_windows: () => [
    keyOf(maintenanceRoutes.listWindows),
    keyOf(maintenanceRoutes.listWebsInMaintenance),
    keyOf(listMonitoredWebs),
    keyOf(readMonitoredWeb),
  ],
  inspections: (id) => [
    id === undefined ? keyOf(readInspection) : keyOf(readInspection, { params: { id } }),
    keyOf(readDiscovery),
    keyOf(readNodeOverview),
    keyOf(listWebFacts),
    keyOf(trackingRoutes.listTrackingAudits),
    keyOf(queueRoutes.listJobs),
    // An audit is compared with the contract when it is stored.
    ...drift,
  ],
  own_domains: () => [keyOf(limitisRoutes.listOwnDomains), keyOf(domainsRoutes.readDomainRecords)],
  external_domains: () => [
    keyOf(externalDomainsRoutes.listExternalDomains),
    keyOf(domainsRoutes.readDomainRecords),
  ],
  domain_records: () => [keyOf(domainsRoutes.readDomainRecords)],
  emails: () => [keyOf(limitisRoutes.listEmails), keyOf(domainsRoutes.readDomainRecords)],
  // A certificate that fails or works again, and a difference that ends with another contract, change what needs attention, and
  // have no events of their own.
  attention: () => [keyOf(listAttention), keyOf(certificatesRoutes.listWebCertificates), ...drift],
  views: () => [keyOf(viewsRoutes.listViews)],
  checks: () => checks,
  tracking_contracts: () => contracts,
  // Others apply to a web once it has another customer or other tags.
  logs: () => [keyOf(logsRoutes.listLogs), ...timelines, ...contracts, ...checks],
  // User rows show the names of their roles, role rows show a user count.
  users: () => [keyOf(listUsers), keyOf(listRoles)],
  roles: () => [keyOf(listRoles), keyOf(listUsers)],
  // A link that confirms a new e-mail may be opened in another tab.
  account: () => [keyOf(authRoutes.listSessions), keyOf(emailChangeRoutes.readEmailChange)],
}
const lists = Object.keys(staleAfter) as EventList[]

type LinesListener = (deployment: number | undefined) => void
const linesListeners = new Set<LinesListener>()

/**
 * Calls the listener when a deployment's log has grown, with undefined after a reconnect, when any may have grown.
 * @returns a function that unsubscribes
 */
export function onNewLines(listener: LinesListener): () => void {
  linesListeners.add(listener)
  return () => linesListeners.delete(listener)
}

/** Tabs that are hidden for longer stop listening, and refetch everything when they are shown again. */
const hiddenTimeoutMs = 30_000

/**
 * Refetches what the open screens show whenever the server reports a change, while the tab is visible.
 * @param userId tabs of this user share a stream
 * @returns a function that stops it
 */
export function startEvents(userId: number): () => void {
  const lifetime = new AbortController()
  let stop: (() => void) | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function changed({ list, id }: ChangedEvent) {
    for (const queryKey of staleAfter[list](id)) refreshAfterEvent(queryKey)
    // Permissions decide what is shown, and the response shows whether the session has ended.
    if (list === 'account') refreshSoon('account', refreshUser)
    if (list === 'deployment_lines') for (const listener of linesListeners) listener(id)
  }
  function refreshAll() {
    for (const list of lists) changed({ list })
  }
  function listen() {
    stop = listenToEvents(`kustos.events ${userId}`, {
      onChanged: changed,
      onOpen: refreshAll,
      // The server closes the stream of a session that has ended.
      onBroken: () => refreshSoon('account', refreshUser),
    })
  }
  function pause() {
    clearTimeout(timer)
    stop?.()
    stop = undefined
  }
  function resume() {
    if (document.hidden) return
    clearTimeout(timer)
    if (stop !== undefined) return
    listen()
    // Another tab may already hold the stream and will not announce that it opened.
    refreshAll()
  }
  function followVisibility() {
    if (document.hidden) timer = setTimeout(pause, hiddenTimeoutMs)
    else resume()
  }

  if (!document.hidden) listen()
  const { signal } = lifetime
  document.addEventListener('visibilitychange', followVisibility, { signal })
  // A frozen page, or one in the back/forward cache, would keep its connection and the lock.
  document.addEventListener('freeze', pause, { signal })
  document.addEventListener('resume', resume, { signal })
  addEventListener('pagehide', pause, { signal })
  addEventListener('pageshow', resume, { signal })
  return () => {
    lifetime.abort()
    pause()
  }
}
