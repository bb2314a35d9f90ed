import { z } from 'zod'
import { route } from '../route.ts'
import { found, foundKinds, maxFoundPerKind, searchText } from './found.ts'

export const searchRoutes = {
  search: route('GET', '/api/search', {
    summary: `What matches a text, by kind (${foundKinds.join(', ')}) and best match first, at most ${maxFoundPerKind} of each kind. Only what the lists show the caller.`,
    access: 'signed-in',
    query: z.object({ q: searchText }),
    response: z.object({ data: z.array(found) }),
  }),
} as const
