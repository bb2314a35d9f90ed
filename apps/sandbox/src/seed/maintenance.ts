import type { Transaction } from '@kustos/database/client'
import { maintenanceScopes, maintenanceWindows, nodes } from '@kustos/database/tables'

const dayMs = 24 * 3_600_000

/** Plans the nightly updates of a node and the monthly work for tagged webs; a window for a third one is over. */
export async function seedMaintenance(db: Transaction, plannedBy: number, now: Date): Promise<void> {
  const [node] = await db.select({ id: nodes.id }).from(nodes).orderBy(nodes.name).limit(1)
  const nothing = { web_ids: [], node_ids: [], customers: [], tags: [] }
  const scopes = await db
    .insert(maintenanceScopes)
    .values([
      { ...nothing, node_ids: node === undefined ? [] : [node.id] },
      { ...nothing, tags: ['contract:gold'] },
      { ...nothing, tags: ['legal'] },
    ])
    .returning({ id: maintenanceScopes.id })
  const common = { weekdays: [], month_days: [], planned_by: plannedBy, created_at: now, updated_at: now }
  const first_day = now.toISOString().slice(0, 10)
  const windows = [
    {
      reason: 'Sicherheitsupdates des Nodes',
      repeats: 'weekly' as const,
      weekdays: [7],
      start_time: '03:00',
      duration_minutes: 120,
      first_day,
    },
    {
      reason: 'Monatliche TYPO3-Updates',
      repeats: 'monthly' as const,
      month_days: [15],
      start_time: '21:00',
      duration_minutes: 90,
      first_day,
    },
    {
      reason: 'Neues Impressum',
      repeats: 'once' as const,
      starts_at: new Date(now.getTime() - 3 * dayMs),
      ends_at: new Date(now.getTime() - 3 * dayMs + dayMs / 24),
    },
  ]
  await db.insert(maintenanceWindows).values(
    windows.flatMap((window, index) => {
      const scope = scopes[index]
      return scope === undefined ? [] : [{ ...common, ...window, scope_id: scope.id }]
    }),
  )
}
