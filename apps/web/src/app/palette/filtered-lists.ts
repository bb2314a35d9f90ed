import { monitoringRoutes } from '@kustos/contract/monitoring'
import { can, type PermissionHolder } from '@kustos/contract/permissions'
import { queueRoutes } from '@kustos/contract/queue'
import type { Route } from '@kustos/contract/route'
import { websRoutes } from '@kustos/contract/webs'
import {
  type Icon,
  IconAlertTriangle,
  IconCertificate,
  IconHeartBroken,
  IconListCheck,
  IconRadar2,
  IconWorldOff,
} from '@tabler/icons-react'
import { downWebsPath } from '../../entities/incident/paths.ts'
import deTexts from '../../platform/messages/de/palette.json' with { type: 'json' }
import { palette as enTexts } from '../../platform/messages/en/palette.ts'
import { queuePath } from '../dashboard/queue-path.ts'
import { endOfLifePath, figureLinks } from '../dashboard/web-figures.ts'
import { keywordsOf } from './destinations.ts'
import { createSearchItem, type SearchItem } from './search.ts'

interface FilteredList {
  readonly name: keyof typeof enTexts.lists
  readonly route: Pick<Route, 'access'>
  readonly path: string
  readonly icon: Icon
}

const { listWebs } = websRoutes

/** Lists with a filter, found by words such as "expired" and "eol", that the user may see. */
export function filteredListsFor(
  user: PermissionHolder | null,
  now: Date,
): readonly SearchItem<FilteredList>[] {
  const { certificates, framework, inactive } = figureLinks(now)
  const lists: readonly FilteredList[] = [
    { name: 'down', route: monitoringRoutes.listMonitoredWebs, path: downWebsPath, icon: IconHeartBroken },
    { name: 'certificates', route: listWebs, path: certificates, icon: IconCertificate },
    { name: 'framework', route: listWebs, path: framework, icon: IconAlertTriangle },
    { name: 'endOfLife', route: listWebs, path: endOfLifePath, icon: IconAlertTriangle },
    { name: 'inactive', route: listWebs, path: inactive, icon: IconWorldOff },
    { name: 'beforeConsent', route: listWebs, path: '/hosting/tracking?before_consent=1', icon: IconRadar2 },
    { name: 'failed', route: queueRoutes.listJobs, path: queuePath(['failed']), icon: IconListCheck },
  ]
  return lists
    .filter(({ route }) => can(user, route.access))
    .map((list) => {
      const { name } = list
      return createSearchItem(list, [enTexts.lists[name], deTexts.lists[name]], keywordsOf(name))
    })
}
