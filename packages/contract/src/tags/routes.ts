import { z } from 'zod'
import type { Requirement } from '../permissions.ts'
import { route } from '../route.ts'
import { newTag, tag, tagChange, tagMerge } from './tag.ts'

const edit: Requirement = { any: ['edit tags'] }

export const tagsRoutes = {
  listTags: route('GET', '/api/tags', {
    summary:
      'All tags with the types of their values. `usage=1` also counts what carries each, as far as the user may see it.',
    access: 'signed-in',
    query: z.object({ usage: z.literal('1').optional() }),
    response: z.array(tag),
  }),
  createTag: route('POST', '/api/tags', {
    summary:
      'Adds a tag. Users who may change something that carries tags may do this. 422 if there is one of this name.',
    access: { any: [...edit.any, 'create webs', 'edit webs', 'edit customers', 'manage nodes'] },
    body: newTag,
    status: 201,
    response: tag,
  }),
  editTag: route('PUT', '/api/tags/:id', {
    summary:
      'Renames a tag, wherever it is carried, or changes the type of its values. 422 if values that are carried are not of the new type.',
    access: edit,
    body: tagChange,
    errors: [409],
  }),
  mergeTag: route('POST', '/api/tags/:id/merge', {
    summary:
      'Replaces a tag by another one, wherever it is carried, and deletes it. What carries both keeps the value of the other one; alert routes and maintenance windows match both.',
    access: edit,
    body: tagMerge,
  }),
  deleteTag: route('DELETE', '/api/tags/:id', {
    summary:
      'Takes a tag away from all that carry it and deletes it. 409 while an alert route or a maintenance window uses it.',
    access: edit,
    errors: [409],
  }),
} as const
