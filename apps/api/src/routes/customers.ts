import { customersRoutes } from '@kustos/contract/customers'
import {
  createCustomer,
  editCustomer,
  listCustomers,
  mergeCustomers,
  previewMerge,
  readCustomer,
  readTimeline,
} from '@kustos/domain/customers'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export const registerCustomerRoutes = (app: FastifyInstance, services: Services): void =>
  bind(app, services, 'customers', customersRoutes, {
    listCustomers: (_, { context }) => listCustomers(context),
    createCustomer: ({ body }, { context }) => createCustomer(context, body),
    mergeCustomers: ({ body }, { context }) => mergeCustomers(context, body),
    readCustomer: ({ params }, { context }) => readCustomer(context, params.code),
    editCustomer: ({ params, body }, { context }) => editCustomer(context, params.code, body),
    readTimeline: ({ params, query }, { context }) => readTimeline(context, params.code, query.weeks),
    previewMerge: ({ params }, { context }) => previewMerge(context, params.code),
  })
