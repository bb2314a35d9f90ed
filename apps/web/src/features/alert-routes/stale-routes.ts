import { alertRoutesRoutes } from '@kustos/contract/alert-routes'
import { rotasRoutes } from '@kustos/contract/rotas'

/** What a change of a route may change. */
export const staleRoutes = [
  alertRoutesRoutes.listAlertRoutes,
  alertRoutesRoutes.previewAlert,
  rotasRoutes.listRotas,
]
