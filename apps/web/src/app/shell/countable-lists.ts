import { attentionRoutes } from '@kustos/contract/attention'
import { batchColumns, batchesRoutes, maxBatchesPerResponse } from '@kustos/contract/batches'
import { bitbucketRoutes, repositoryColumns } from '@kustos/contract/bitbucket'
import { customerColumns, customersRoutes } from '@kustos/contract/customers'
import { externalDomainColumns, externalDomainsRoutes } from '@kustos/contract/external-domains'
import type { GridDefinition } from '@kustos/contract/grid'
import { incidentColumns, incidentsRoutes } from '@kustos/contract/incidents'
import {
  allDomainColumns,
  allDomains,
  emailColumns,
  limitisRoutes,
  ownDomainColumns,
} from '@kustos/contract/limitis'
import { type LogCount, logSearchRoutes } from '@kustos/contract/logs'
import { monitoredWebColumns, monitoringRoutes } from '@kustos/contract/monitoring'
import { nodeColumns, nodesRoutes } from '@kustos/contract/nodes'
import { can } from '@kustos/contract/permissions'
import { maxListedJobs, type QueueJob, queueColumns, queueRoutes } from '@kustos/contract/queue'
import { tagColumns, tagsRoutes } from '@kustos/contract/tags'
import { thirdPartiesRoutes, thirdPartyColumns } from '@kustos/contract/third-parties'
import { userColumns, usersRoutes } from '@kustos/contract/users'
import type { ListName, View } from '@kustos/contract/views'
import { isListed, trackingColumnsAt, trackingGridAt, webColumns, websRoutes } from '@kustos/contract/webs'
import type { QueryFunctionContext, QueryKey } from '@tanstack/react-query'
import i18next from 'i18next'
import { checkErrorText } from '../../entities/domain/domain-texts.ts'
import { watchReasonText } from '../../entities/incident/reason-text.ts'
import { incidentLimits } from '../../features/incidents/limits.ts'
import { readQuery } from '../../features/logs/filter-params.ts'
import { jobText } from '../../features/queue/job-text.ts'
import { toWithoutConsent, violationsByWeb } from '../../features/tracking/tracking-grid.ts'
import { violationsInput } from '../../features/tracking/use-violations.ts'
import { queryClient, routeQuery } from '../../platform/query.ts'
import { signedInUser } from '../../platform/session.ts'
import { staleListQuery } from '../../platform/stale-list.ts'
import { countRows } from './count-rows.ts'
import { countableIncidents } from './countable-incidents.ts'

/** The query that the list's screen has, and how its rows are counted. */
export interface CountableList<Data = unknown> {
  readonly queryKey: QueryKey
  readonly queryFn: (context: QueryFunctionContext) => Promise<Data>
  /** @returns null if the list lacks columns that the view filters by, or if the browser does not have all rows */
  readonly count: (data: Data, view: View) => number | null
}

/** @param rowsOf returns null if these are not all rows of the list that the view may show */
function countable<Data, Row>(
  query: Pick<CountableList<Data>, 'queryKey' | 'queryFn'>,
  grid: (data: Data) => GridDefinition<Row>,
  rowsOf: (data: Data, view: View) => readonly Row[] | null,
): CountableList {
  const count = (data: Data, view: View) => {
    const rows = rowsOf(data, view)
    return rows && countRows(view, grid(data), rows)
  }
  // A query's data is what its function returns.
  return { ...query, count: (data, view) => count(data as Data, view) }
}

type OfView = (params: URLSearchParams) => CountableList

/** Own and external domains, as far as the user may see them; as fresh as each of the two lists. */
const readAllDomains = async () => {
  const user = signedInUser()
  const { listOwnDomains } = limitisRoutes
  const { listExternalDomains } = externalDomainsRoutes
  const [own, external] = await Promise.all([
    can(user, listOwnDomains.access) ? queryClient.fetchQuery(staleListQuery(listOwnDomains, {})) : null,
    can(user, listExternalDomains.access) ? queryClient.fetchQuery(routeQuery(listExternalDomains, {})) : [],
  ])
  return allDomains(own?.list ?? [], external)
}

/** Domains with the sentences that their lists show. */
const withCheckTexts = <Row extends Parameters<typeof checkErrorText>[0]>(domains: readonly Row[]) =>
  domains.map((domain) => ({ ...domain, check_error: checkErrorText(domain) }))

const trackingQuery = routeQuery(websRoutes.listWebs, { query: { tracking: '1' } })
const violationsQuery = routeQuery(attentionRoutes.listAttention, violationsInput)

/** The tracking list with the violations that its screen shows in it. */
async function readTrackedWebs() {
  const [list, violations] = await Promise.all([
    queryClient.fetchQuery(trackingQuery),
    queryClient.fetchQuery(violationsQuery),
  ])
  return { ...list, violations: violations.data }
}

/** Whether a view of the tracking list finds webs by what they violate. */
const needsViolations = (params: URLSearchParams) =>
  ['before_consent', 'f.before_consent', 'j.before_consent', 'q'].some((key) => params.has(key))

const nowInSeconds = () => Math.floor(Date.now() / 1000)

/** Whether the server has listed all jobs that there are. */
const hasAllJobs = (jobs: readonly QueueJob[]) =>
  [...Map.groupBy(jobs, ({ queue, state }) => `${queue} ${state}`).values()].every(
    ({ length }) => length < maxListedJobs,
  )

/**
 * The lists whose rows the browser has whole, and the log, which the server counts. Of the probes it has only the latest, so a
 * count would be wrong.
 */
const lists: Partial<Record<ListName, OfView>> = {
  webs: (params) =>
    countable(
      routeQuery(websRoutes.listWebs, params.get('deleted') === '1' ? { query: { deleted: '1' } } : {}),
      () => webColumns,
      ({ data }) => data,
    ),
  tracking: (params) =>
    needsViolations(params)
      ? countable(
          { queryKey: ['tracked-webs'], queryFn: readTrackedWebs },
          ({ violations }) => trackingGridAt(nowInSeconds(), toWithoutConsent(violationsByWeb(violations))),
          ({ data, violations, internal_marker: marker }) => {
            const violating = violationsByWeb(violations)
            const onlyViolations = params.get('before_consent') === '1'
            return data.filter((web) => isListed(web, marker) && (!onlyViolations || violating.has(web.id)))
          },
        )
      : countable(
          trackingQuery,
          () => trackingColumnsAt(nowInSeconds()),
          ({ data, internal_marker: marker }) => data.filter((web) => isListed(web, marker)),
        ),
  'third-parties': (params) =>
    countable(
      routeQuery(thirdPartiesRoutes.listThirdParties, {}),
      () => thirdPartyColumns,
      ({ data }) => data.filter(({ decision }) => params.get('review') !== '1' || decision === 'review'),
    ),
  customers: () =>
    countable(
      routeQuery(customersRoutes.listCustomers, {}),
      () => customerColumns,
      (customers) => customers,
    ),
  nodes: () =>
    countable(
      routeQuery(nodesRoutes.listNodes, {}),
      () => nodeColumns,
      (nodes) => nodes,
    ),
  bitbucket: () =>
    countable(
      staleListQuery(bitbucketRoutes.listRepositories, {}),
      () => repositoryColumns,
      ({ list }) => list,
    ),
  'all-domains': () =>
    countable({ queryKey: ['all-domains'], queryFn: readAllDomains }, () => allDomainColumns, withCheckTexts),
  'external-domains': () =>
    countable(
      routeQuery(externalDomainsRoutes.listExternalDomains, {}),
      () => externalDomainColumns,
      withCheckTexts,
    ),
  'own-domains': () =>
    countable(
      staleListQuery(limitisRoutes.listOwnDomains, {}),
      () => ownDomainColumns,
      ({ list }) => withCheckTexts(list),
    ),
  emails: () =>
    countable(
      staleListQuery(limitisRoutes.listEmails, {}),
      () => emailColumns,
      ({ list }) => list,
    ),
  monitoring: () =>
    countable(
      routeQuery(monitoringRoutes.listMonitoredWebs, {}),
      () => monitoredWebColumns,
      // With the reasons that the list's screen searches.
      ({ data }) => data.map((web) => ({ ...web, down_reason: watchReasonText(web) })),
    ),
  incidents: () =>
    countable(
      routeQuery(incidentsRoutes.listIncidentEntries, { query: { limit: String(incidentLimits.first) } }),
      () => incidentColumns,
      ({ data }, view) => countableIncidents(data, view),
    ),
  queue: (params) =>
    countable(
      routeQuery(queueRoutes.listJobs, {}),
      () => queueColumns,
      (jobs) =>
        hasAllJobs(jobs)
          ? jobs
              .filter((job) => params.get('jobs') === 'all' || job.deployment_id !== null)
              .map((job) => ({ ...job, displayName: jobText(i18next.t, job) }))
          : null,
    ),
  batches: () =>
    countable(
      routeQuery(batchesRoutes.listBatches, {}),
      () => batchColumns,
      ({ data }) => (data.length < maxBatchesPerResponse ? data : null),
    ),
  logs: (params) => {
    const { queryKey, queryFn } = routeQuery(logSearchRoutes.countLogs, { query: readQuery(params) })
    // Null if there are too many of them to count.
    return { queryKey, queryFn, count: (data) => (data as LogCount).entries }
  },
  tags: () =>
    countable(
      routeQuery(tagsRoutes.listTags, { query: { usage: '1' } }),
      () => tagColumns,
      (tags) => tags,
    ),
  users: (params) =>
    countable(
      routeQuery(usersRoutes.listUsers, {}),
      () => userColumns,
      ({ data }) => data.filter((user) => params.get('deleted') !== 'hidden' || user.deleted_at === null),
    ),
}

/** @returns undefined for lists that are not counted */
export const countableList = (view: View): CountableList | undefined =>
  lists[view.list]?.(new URLSearchParams(view.query))
