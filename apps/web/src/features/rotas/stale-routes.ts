import { rotasRoutes } from '@kustos/contract/rotas'

/** What a change of a rota may change. */
export const staleRoutes = [rotasRoutes.listRotas]
