import { type MonitoredWebList, monitoringRoutes } from '@kustos/contract/monitoring'
import { can } from '@kustos/contract/permissions'
import { type Node, type WebList, websRoutes } from '@kustos/contract/webs'
import type { ActionableWeb } from '../../entities/web/actions/web-actions.ts'
import type { ApiError } from '../../platform/api-error.ts'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { type Findable, findable } from './search.ts'

export interface PaletteWeb extends ActionableWeb {
  readonly customer: string
}

export interface PaletteWebs {
  readonly hosts: ReadonlyMap<number, readonly string[]>
  readonly list: readonly Findable<PaletteWeb>[]
  readonly byId: ReadonlyMap<number, PaletteWeb>
  readonly nodes: readonly Node[]
}

const compare = new Intl.Collator('en').compare

function prepared(
  webs: readonly PaletteWeb[],
  nodes: readonly Node[],
  hosts: PaletteWebs['hosts'],
): PaletteWebs {
  const sorted = webs.toSorted((a, b) => compare(a.fqdn, b.fqdn))
  return {
    list: sorted.map((web) =>
      findable(web, [String(web.id), web.fqdn], [...(hosts.get(web.id) ?? []), web.customer, web.node ?? '']),
    ),
    byId: new Map(webs.map((web) => [web.id, web])),
    nodes,
    hosts,
  }
}

/** Memoizes by response, so that 10,000 webs are not prepared again whenever the palette opens. */
function remembered<List extends object>(prepare: (list: List) => PaletteWebs): (list: List) => PaletteWebs {
  const known = new WeakMap<List, PaletteWebs>()
  return (list) => {
    const ready = known.get(list) ?? prepare(list)
    known.set(list, ready)
    return ready
  }
}

const ofInventory = remembered(({ data, nodes }: WebList) => {
  const hosts = data.map(
    ({ id, sites, aliases }) => [id, [...aliases, ...sites].map(({ fqdn }) => fqdn)] as const,
  )
  return prepared(data, nodes, new Map(hosts))
})
/** The monitoring list has active webs only. */
const ofMonitoring = remembered(({ data, nodes }: MonitoredWebList) =>
  prepared(
    data.map((web) => ({ ...web, deleted_at: null })),
    nodes,
    new Map(),
  ),
)

export interface WebSource {
  /** Undefined while loading and without permission. */
  readonly webs: PaletteWebs | undefined
  /** The list whose search covers all columns; null without permission. */
  readonly listPath: '/hosting' | '/monitoring/webs' | null
  readonly error: ApiError | null
  readonly isLoading: boolean
  readonly isRetrying: boolean
  readonly retry: () => void
}

export function useWebs(): WebSource {
  const user = useUser()
  const seesAll = can(user, websRoutes.listWebs.access)
  const seesWatched = !seesAll && can(user, monitoringRoutes.listMonitoredWebs.access)
  const inventory = useRoute(websRoutes.listWebs, {}, { enabled: seesAll, select: ofInventory })
  const watched = useRoute(
    monitoringRoutes.listMonitoredWebs,
    {},
    { enabled: seesWatched, select: ofMonitoring },
  )
  const query = seesAll ? inventory : watched
  return {
    webs: query.data,
    listPath: seesAll ? '/hosting' : seesWatched ? '/monitoring/webs' : null,
    error: query.error,
    isLoading: query.isLoading,
    isRetrying: query.isFetching,
    retry: () => void query.refetch(),
  }
}
