import { type MonitoredWebList, monitoringRoutes } from '@kustos/contract/monitoring'
import { can } from '@kustos/contract/permissions'
import { type Node, type WebList, websRoutes } from '@kustos/contract/webs'
import type { ActionableWeb } from '../../entities/web/actions/web-actions.ts'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { createSearchItem, type SearchItem } from './search.ts'

const { listWebs } = websRoutes
const { listMonitoredWebs } = monitoringRoutes

export interface PaletteWeb extends ActionableWeb {
  readonly customer: string
}

export interface PaletteWebs {
  readonly hosts: ReadonlyMap<number, readonly string[]>
  readonly list: readonly SearchItem<PaletteWeb>[]
  readonly byId: ReadonlyMap<number, PaletteWeb>
  readonly nodes: readonly Node[]
}

const compare = new Intl.Collator('en').compare

function indexWebs(
  webs: readonly PaletteWeb[],
  nodes: readonly Node[],
  hosts: PaletteWebs['hosts'],
): PaletteWebs {
  const sorted = webs.toSorted((a, b) => compare(a.fqdn, b.fqdn))
  return {
    list: sorted.map((web) =>
      createSearchItem(
        web,
        // Without www, it is the same web: a domain of exactly that name must not come first.
        [String(web.id), web.fqdn, web.fqdn.replace(/^www\./, '')],
        [...(hosts.get(web.id) ?? []), web.customer, web.node ?? ''],
      ),
    ),
    byId: new Map(webs.map((web) => [web.id, web])),
    nodes,
    hosts,
  }
}

/** Indexes each response once, so that opening the palette does not index 10,000 webs again. */
function memoize<List extends object>(index: (list: List) => PaletteWebs): (list: List) => PaletteWebs {
  const known = new WeakMap<List, PaletteWebs>()
  return (list) => {
    const webs = known.get(list) ?? index(list)
    known.set(list, webs)
    return webs
  }
}

const indexInventory = memoize(({ data, nodes }: WebList) => {
  const hosts = data.map(
    ({ id, sites, aliases }) => [id, [...aliases, ...sites].map(({ fqdn }) => fqdn)] as const,
  )
  return indexWebs(data, nodes, new Map(hosts))
})
/** The monitoring list has active webs only. */
const indexMonitored = memoize(({ data, nodes }: MonitoredWebList) => {
  const active = data.map((web) => ({ ...web, deleted_at: null }))
  return indexWebs(active, nodes, new Map())
})

export type WebSource = ReturnType<typeof useWebs>

export function useWebs() {
  const user = useUser()
  const maySeeAll = can(user, listWebs.access)
  const maySeeMonitored = !maySeeAll && can(user, listMonitoredWebs.access)
  const inventory = useRoute(listWebs, {}, { enabled: maySeeAll, select: indexInventory })
  const monitored = useRoute(listMonitoredWebs, {}, { enabled: maySeeMonitored, select: indexMonitored })
  const query = maySeeAll ? inventory : monitored
  return {
    /** Undefined while loading and without permission. */
    webs: query.data,
    /** The list whose search covers all columns; null without permission. */
    listPath: maySeeAll ? '/hosting' : maySeeMonitored ? '/monitoring/webs' : null,
    error: query.error,
    isLoading: query.isLoading,
    isRetrying: query.isFetching,
    retry: () => void query.refetch(),
  }
}
