import { maintenanceRoutes } from '@kustos/contract/maintenance'
import { useRoute } from '../../platform/query.ts'
import { MaintenanceChip } from './MaintenanceChip.tsx'

/** Says until when a web is in maintenance, if it is. */
export function WebMaintenanceChip({ id }: { readonly id: number }) {
  const query = useRoute(maintenanceRoutes.listWebsInMaintenance, { query: { web: String(id) } })
  const until = query.data?.data[0]?.until
  return until === undefined ? null : <MaintenanceChip until={until} />
}
