import { defineGrid } from '../grid/columns.ts'
import { maintenanceRepeats, maintenanceStateOptions } from './states.ts'
import type { MaintenanceWindow } from './window.ts'

/** Everything that a window covers, by name. */
export const maintenanceTargets = ({ webs, nodes, customers, tags }: MaintenanceWindow): string[] => [
  ...webs.map(({ fqdn }) => fqdn),
  ...nodes,
  ...customers,
  ...tags,
]

export const maintenanceColumns = defineGrid<MaintenanceWindow>({
  name: 'maintenance',
  primaryColumns: ['reason', 'state', 'targets'],
  columns: [
    { key: 'reason', kind: 'text', width: 235 },
    { key: 'state', kind: 'status', width: 120, options: maintenanceStateOptions },
    { key: 'targets', kind: 'tags', width: 220, value: maintenanceTargets },
    { key: 'schedule', kind: 'text', displayOnly: true, width: 285, value: () => null },
    { key: 'starts', kind: 'date', width: 180, value: (row) => row.next_starts_at ?? row.starts_at },
    { key: 'ends', kind: 'date', width: 180, value: (row) => row.running_until ?? row.ends_at },
    {
      key: 'repeats',
      kind: 'select',
      set: 'details',
      width: 130,
      options: maintenanceRepeats.map((value) => ({ value })),
    },
    {
      key: 'planned_by',
      kind: 'text',
      set: 'details',
      width: 200,
      value: (row) => row.planned_by?.email ?? null,
    },
    { key: 'last_day', kind: 'text', set: 'details', width: 130 },
    { key: 'created_at', kind: 'date', set: 'details', width: 180 },
  ],
  sets: [{ key: 'details', isVisibleByDefault: false }],
})
