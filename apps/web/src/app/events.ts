import { authRoutes } from '@kustos/contract/auth'
import { bitbucketRoutes } from '@kustos/contract/bitbucket'
import { deploymentRoutes } from '@kustos/contract/deployment'
import { type ChangedEvent, type EventList, eventsPath } from '@kustos/contract/events'
import { externalDomainsRoutes } from '@kustos/contract/external-domains'
import { inspectionRoutes } from '@kustos/contract/inspections'
import { limitisRoutes } from '@kustos/contract/limitis'
import { logsRoutes } from '@kustos/contract/logs'
import { monitoringRoutes } from '@kustos/contract/monitoring'
import { queueRoutes } from '@kustos/contract/queue'
import { trackingRoutes } from '@kustos/contract/tracking'
import { usersRoutes } from '@kustos/contract/users'
import { websRoutes } from '@kustos/contract/webs'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { coalescer } from './coalesce.ts'
import { keepOpen } from './event-source.ts'
import { keyOf } from './query.ts'
import { refreshUser } from './session.ts'

const { readInspection, listWebFacts } = inspectionRoutes
const { listDeployments, readDeployment } = deploymentRoutes
const { listStatistics, listUptime, listIncidents, listMonitoredWebs, readMonitoredWeb, readMonitoring } =
  monitoringRoutes
const { listUsers, listRoles } = usersRoutes

/** The answers that a change of a list makes stale; `id` names the row where one is meant. */
const staleAfter: Readonly<Record<EventList, (id?: number) => readonly QueryKey[]>> = {
  webs: () => [keyOf(websRoutes.listWebs), keyOf(websRoutes.readWeb)],
  deployments: (id) => [
    keyOf(listDeployments),
    keyOf(queueRoutes.listJobs),
    id === undefined ? keyOf(readDeployment) : keyOf(readDeployment, { params: { id } }),
  ],
  // Lines are read on from the last one held, by whoever shows them.
  deployment_lines: () => [],
  repositories: () => [keyOf(bitbucketRoutes.listRepositories)],
  monitored_webs: () => [keyOf(listMonitoredWebs), keyOf(readMonitoredWeb), keyOf(readMonitoring)],
  probes: () => [keyOf(listStatistics)],
  probe_rounds: () => [
    keyOf(listUptime),
    keyOf(listIncidents),
    keyOf(listMonitoredWebs),
    keyOf(readMonitoredWeb),
    keyOf(readMonitoring),
  ],
  incidents: () => [keyOf(listIncidents), keyOf(listUptime), keyOf(readMonitoring)],
  inspections: (id) => [
    id === undefined ? keyOf(readInspection) : keyOf(readInspection, { params: { id } }),
    keyOf(listWebFacts),
    keyOf(trackingRoutes.listTrackingAudits),
    keyOf(queueRoutes.listJobs),
  ],
  own_domains: () => [keyOf(limitisRoutes.listOwnDomains)],
  external_domains: () => [keyOf(externalDomainsRoutes.listExternalDomains)],
  emails: () => [keyOf(limitisRoutes.listEmails)],
  logs: () => [keyOf(logsRoutes.listLogs)],
  // Users show the names of their roles, and roles how many users they have.
  users: () => [keyOf(listUsers), keyOf(listRoles)],
  roles: () => [keyOf(listRoles), keyOf(listUsers)],
  account: () => [keyOf(authRoutes.listSessions)],
}
const lists = Object.keys(staleAfter) as EventList[]

/** Each list is read anew once a second at most. */
const refreshInterval = 1000

type LinesListener = (deployment: number | undefined) => void
const linesListeners = new Set<LinesListener>()

/**
 * Tells whenever a deployment's log has grown; of undefined after a reconnect, when any may have.
 * @returns how to end it
 */
export function onNewLines(listener: LinesListener): () => void {
  linesListeners.add(listener)
  return () => linesListeners.delete(listener)
}

/** A browser has six connections to a server: tabs that nobody looks at give theirs back after this long. */
const hiddenFor = 30_000

/**
 * Keeps the open screens as fresh as the server's lists, for as long as somebody is signed in and looks.
 * @returns how to end it
 */
export function startEvents(client: QueryClient): () => void {
  const refreshSoon = coalescer(refreshInterval)
  let end: (() => void) | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function changed({ list, id }: ChangedEvent) {
    for (const queryKey of staleAfter[list](id)) {
      refreshSoon(JSON.stringify(queryKey), () => client.invalidateQueries({ queryKey }))
    }
    // Who one is decides what one sees; a session that was ended is told by the answer.
    if (list === 'account') refreshSoon('account', refreshUser)
    if (list === 'deployment_lines') for (const listener of linesListeners) listener(id)
  }
  function open() {
    end ??= keepOpen({
      connect: () => new EventSource(eventsPath),
      onChanged: changed,
      onOpen: () => {
        for (const list of lists) changed({ list })
      },
      // A session that was ended takes its stream along.
      onBroken: () => refreshSoon('account', refreshUser),
    })
  }
  function close() {
    end?.()
    end = undefined
  }
  function look() {
    clearTimeout(timer)
    if (document.hidden) timer = setTimeout(close, hiddenFor)
    else open()
  }

  look()
  document.addEventListener('visibilitychange', look)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
    close()
  }
}
