import { rotasRoutes } from '@kustos/contract/rotas'
import {
  addOverride,
  createRota,
  deleteOverride,
  deleteRota,
  editRota,
  listRotas,
} from '@kustos/domain/rotas'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export const registerRotasRoutes = (app: FastifyInstance, services: Services): void =>
  bind(app, services, 'rotas', rotasRoutes, {
    listRotas: async (_, { context }) => ({ data: await listRotas(context) }),
    createRota: ({ body }, { context }) => createRota(context, body),
    editRota: ({ params, body }, { context }) => editRota(context, params.id, body),
    deleteRota: ({ params }, { context }) => deleteRota(context, params.id),
    addOverride: ({ params, body }, { context }) => addOverride(context, params.id, body),
    deleteOverride: ({ params }, { context }) => deleteOverride(context, params),
  })
