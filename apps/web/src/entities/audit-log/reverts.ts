import type { LogEntry } from '@kustos/contract/logs'

/** The ids of the entries whose changes were reverted by others of these entries, with the ids of those. */
export const findReverts = (entries: readonly Pick<LogEntry, 'id' | 'properties'>[]) =>
  new Map(
    entries.flatMap(({ id, properties }) => {
      const reverted = properties.attributes?.reverts
      return typeof reverted === 'number' ? [[reverted, id] as const] : []
    }),
  )
