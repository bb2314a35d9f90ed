import { trackingContractsRoutes } from '@kustos/contract/tracking-contracts'
import {
  agreeToDifference,
  allowDifference,
  draftCustomerContract,
  editCustomerContract,
  editWebContract,
  endException,
  readCustomerContract,
  readTrackingDrift,
  readWebContract,
} from '@kustos/domain/tracking-contracts'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export function registerTrackingContractRoutes(app: FastifyInstance, services: Services): void {
  bind(app, services, 'tracking-contracts', trackingContractsRoutes, {
    readCustomerContract: ({ params }, { context }) => readCustomerContract(context, params.code),
    editCustomerContract: ({ params, body }, { context }) => editCustomerContract(context, params.code, body),
    draftContract: ({ params }, { context }) => draftCustomerContract(context, params.code),
    readWebContract: ({ params }, { context }) => readWebContract(context, params.id),
    editWebContract: ({ params, body }, { context }) => editWebContract(context, params.id, body),
    readTrackingDrift: ({ params }, { context }) => readTrackingDrift(context, params.id),
    agreeToDifference: ({ params, body }, { context }) => agreeToDifference(context, params.id, body),
    allowDifference: ({ params, body }, { context }) => allowDifference(context, params.id, body),
    endException: ({ params }, { context }) => endException(context, params.id, params.exception),
  })
}
