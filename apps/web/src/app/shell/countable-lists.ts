import { bitbucketRoutes, repositoryColumns } from '@kustos/contract/bitbucket'
import { externalDomainColumns, externalDomainsRoutes } from '@kustos/contract/external-domains'
import { columnsOf, createQueryEngine, type GridDefinition, labelGrid } from '@kustos/contract/grid'
import { emailColumns, limitisRoutes, ownDomainColumns } from '@kustos/contract/limitis'
import { type LogCount, logSearchRoutes } from '@kustos/contract/logs'
import { monitoredWebColumns, monitoringRoutes } from '@kustos/contract/monitoring'
import { nodeColumns, nodesRoutes } from '@kustos/contract/nodes'
import { userColumns, usersRoutes } from '@kustos/contract/users'
import type { ListName, View } from '@kustos/contract/views'
import { isListed, trackingColumnsAt, webColumns, websRoutes } from '@kustos/contract/webs'
import type { QueryFunctionContext, QueryKey } from '@tanstack/react-query'
import i18next from 'i18next'
import { readQuery } from '../../features/logs/filter-params.ts'
import { currentLanguage } from '../../platform/i18n.ts'
import { routeQuery } from '../../platform/query.ts'
import { staleListQuery } from '../../platform/stale-list.ts'
import { findMissing } from '../../ui/data-grid/views/view-contents.ts'
import { readSavedView } from '../../ui/data-grid/views/view-url.ts'

/** The query that the list's screen has, and how its rows are counted. */
export interface CountableList<Data = unknown> {
  readonly queryKey: QueryKey
  readonly queryFn: (context: QueryFunctionContext) => Promise<Data>
  /** @returns null if the list lacks columns that the view filters by */
  readonly count: (data: Data, view: View) => number | null
}

function countable<Data, Row>(
  query: Pick<CountableList<Data>, 'queryKey' | 'queryFn'>,
  grid: () => GridDefinition<Row>,
  rowsOf: (data: Data) => readonly Row[],
): CountableList {
  const count = (data: Data, view: View) => countRows(view, grid(), rowsOf(data))
  // A query's data is what its function returns.
  return { ...query, count: (data, view) => count(data as Data, view) }
}

function countRows<Row>(view: View, grid: GridDefinition<Row>, rows: readonly Row[]): number | null {
  if ((findMissing(view, grid)?.filters.length ?? 0) > 0) return null
  const { state } = readSavedView(view, grid)
  const labels = i18next.t(`gridLabels.${grid.name}`, { returnObjects: true })
  const labelled = labelGrid(grid, labels, currentLanguage())
  const sets = state.sets ?? grid.sets.filter((set) => set.isVisibleByDefault).map(({ key }) => key)
  const visible = columnsOf(labelled, sets)
  return createQueryEngine(rows, labelled.columns).query({ ...state, sort: [] }, visible).length
}

type OfView = (params: URLSearchParams) => CountableList

/**
 * The lists whose rows the browser has whole, and the log, which the server counts. Of the probes and the queue it has only the
 * latest, so a count would be wrong.
 */
const lists: Partial<Record<ListName, OfView>> = {
  webs: (params) =>
    countable(
      routeQuery(websRoutes.listWebs, params.get('deleted') === '1' ? { query: { deleted: '1' } } : {}),
      () => webColumns,
      ({ data }) => data,
    ),
  tracking: () =>
    countable(
      routeQuery(websRoutes.listWebs, { query: { tracking: '1' } }),
      () => trackingColumnsAt(Math.floor(Date.now() / 1000)),
      ({ data, internal_marker: marker }) => data.filter((web) => isListed(web, marker)),
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
  'external-domains': () =>
    countable(
      routeQuery(externalDomainsRoutes.listExternalDomains, {}),
      () => externalDomainColumns,
      (domains) => domains,
    ),
  'own-domains': () =>
    countable(
      staleListQuery(limitisRoutes.listOwnDomains, {}),
      () => ownDomainColumns,
      ({ list }) => list,
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
      ({ data }) => data,
    ),
  logs: (params) => {
    const { queryKey, queryFn } = routeQuery(logSearchRoutes.countLogs, { query: readQuery(params) })
    // Null if there are too many of them to count.
    return { queryKey, queryFn, count: (data) => (data as LogCount).entries }
  },
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
