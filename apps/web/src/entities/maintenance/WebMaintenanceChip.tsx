import { maintenanceRoutes } from '@kustos/contract/maintenance'
import { useRoute } from '../../platform/query.ts'
import { MaintenanceChip } from './MaintenanceChip.tsx'

/** Says until when a web is in maintenance, if it is. */
export function WebMaintenanceChip({ id }: { readonly id: number }) {
  const query = useRoute(maintenanceRoutes.listWindows, { query: { web: String(id) } })
  const ends = (query.data?.data ?? []).flatMap(({ running_until }) => running_until ?? [])
  const until = ends.toSorted().at(-1)
  return until === undefined ? null : <MaintenanceChip until={until} />
}
