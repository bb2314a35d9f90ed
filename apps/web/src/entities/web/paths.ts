import { monitoringRoutes, uptimePath } from '@kustos/contract/monitoring'
import { can, type PermissionHolder } from '@kustos/contract/permissions'
import { websRoutes } from '@kustos/contract/webs'

export interface NamedWeb {
  readonly id: number
  readonly fqdn: string
}

export const webPath = (id: number) => `/hosting/show/${id}`

/** Where a web's name links to: its page, else its uptime; null if the user may see neither. */
export function webHref(user: PermissionHolder | null, web: NamedWeb): string | null {
  if (can(user, websRoutes.readWeb.access)) return webPath(web.id)
  return can(user, monitoringRoutes.listUptime.access) ? uptimePath(web) : null
}
