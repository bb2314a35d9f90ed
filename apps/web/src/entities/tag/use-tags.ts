import { type Tag, tagsRoutes } from '@kustos/contract/tags'
import { useRoute } from '../../platform/query.ts'

const none: readonly Tag[] = []

/** The catalogue of tags; empty while it loads. */
export const useTags = (): readonly Tag[] => useRoute(tagsRoutes.listTags, {}).data ?? none
