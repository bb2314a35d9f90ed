import { monitoringRoutes, uptimePath } from '@kustos/contract/monitoring'
import { can, type Holder } from '@kustos/contract/permissions'
import { websRoutes } from '@kustos/contract/webs'

interface NamedWeb {
  readonly id: number
  readonly fqdn: string
}

/** The page about one web. */
export const webPath = (id: number) => `/hosting/show/${id}`

/**
 * Where the name of a web leads a user.
 * @returns the page about it, its uptime for those who may see no more, null for others
 */
export function webHref(user: Holder | null, web: NamedWeb): string | null {
  if (can(user, websRoutes.readWeb.access)) return webPath(web.id)
  return can(user, monitoringRoutes.listUptime.access) ? uptimePath(web) : null
}
