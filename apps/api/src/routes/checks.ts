import { checksRoutes } from '@kustos/contract/checks'
import { editCheck, readCheck } from '@kustos/domain/checks'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export function registerCheckRoutes(app: FastifyInstance, services: Services): void {
  const { secretBox: box } = services
  bind(app, services, 'checks', checksRoutes, {
    readWebCheck: ({ params }, { context }) => readCheck(context, { web: params.id }),
    editWebCheck: ({ params, body }, { context }) => editCheck(context, box, { web: params.id }, body),
    readCustomerCheck: ({ params }, { context }) => readCheck(context, { customer: params.code }),
    editCustomerCheck: ({ params, body }, { context }) =>
      editCheck(context, box, { customer: params.code }, body),
    readTagCheck: ({ params }, { context }) => readCheck(context, { tag: params.id }),
    editTagCheck: ({ params, body }, { context }) => editCheck(context, box, { tag: params.id }, body),
  })
}
