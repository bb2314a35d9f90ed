import { alertChannels, alertRoutes } from '@kustos/database/tables'
import type { TestDatabase } from '@kustos/database/testing'

type Database = TestDatabase['db']

/** Adds a channel that is never sent to. @returns its id */
export async function addChannel(db: Database, name: string): Promise<number> {
  const [row] = await db
    .insert(alertChannels)
    .values({ name, kind: 'webhook', settings: {} })
    .returning({ id: alertChannels.id })
  if (!row) throw new Error('The channel was not stored')
  return row.id
}

/** Adds an alert route that matches everything, unless told otherwise. @returns its id */
export async function addRoute(
  db: Database,
  more: Partial<typeof alertRoutes.$inferInsert> & Pick<typeof alertRoutes.$inferInsert, 'steps'>,
): Promise<number> {
  const lists = { customers: [], tags: [], node_ids: [], severities: [], weekdays: [] }
  const flags = { is_active: true, replaces_channels: false, continues: false }
  const [row] = await db
    .insert(alertRoutes)
    .values({ name: 'Night', position: 1, ...lists, ...flags, ...more })
    .returning({ id: alertRoutes.id })
  if (!row) throw new Error('The route was not stored')
  return row.id
}
