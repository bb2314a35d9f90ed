import { attentionRoutes } from '@kustos/contract/attention'
import {
  acknowledgeEntry,
  assignEntry,
  endEntrySnooze,
  listAssignees,
  listAttention,
  snoozeEntry,
  unassignEntry,
  withdrawAcknowledgement,
} from '@kustos/domain/attention'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export function registerAttentionRoutes(app: FastifyInstance, services: Services): void {
  const { monitoring: settings } = services
  bind(app, services, 'attention', attentionRoutes, {
    listAttention: ({ query }, { context }) => listAttention(context, settings, query),
    listAssignees: async ({ query }, { context }) => ({ data: await listAssignees(context, query.kind) }),
    acknowledgeEntry: ({ params, body }, { context }) => acknowledgeEntry(context, settings, params.id, body),
    withdrawAcknowledgement: ({ params, query }, { context }) =>
      withdrawAcknowledgement(context, settings, params.id, {
        group: query.group === '1',
        undo: query.undo === '1',
      }),
    assignEntry: ({ params, body }, { context }) => assignEntry(context, settings, params.id, body),
    unassignEntry: ({ params, query }, { context }) =>
      unassignEntry(context, settings, params.id, query.group === '1'),
    snoozeEntry: ({ params, body }, { context }) => snoozeEntry(context, settings, params.id, body),
    endSnooze: ({ params, query }, { context }) =>
      endEntrySnooze(context, settings, params.id, query.group === '1'),
  })
}
