import { tagsRoutes } from '@kustos/contract/tags'
import { createTag, deleteTag, editTag, listTags, mergeTag } from '@kustos/domain/tags'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export const registerTagRoutes = (app: FastifyInstance, services: Services): void =>
  bind(app, services, 'tags', tagsRoutes, {
    listTags: ({ query }, { context }) => listTags(context, query.usage !== undefined),
    createTag: ({ body }, { context }) => createTag(context, body),
    editTag: ({ params, body }, { context }) => editTag(context, params.id, body),
    mergeTag: ({ params, body }, { context }) => mergeTag(context, params.id, body),
    deleteTag: ({ params }, { context }) => deleteTag(context, params.id),
  })
