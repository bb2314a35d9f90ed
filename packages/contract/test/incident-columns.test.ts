import { createQueryEngine, initialGridState, labelGrid } from '@kustos/contract/grid'
import { type IncidentEntry, incidentColumnsAt } from '@kustos/contract/incidents'
import { expect, it } from 'vitest'

const start = Date.parse('2026-11-01T10:00:00Z')
const at = (minutes: number) => new Date(start + minutes * 60_000).toISOString()
const incident = (id: number, from: number, until: number | null) =>
  ({ id, started_at: at(from), ended_at: until === null ? null : at(until) }) as unknown as IncidentEntry
const rows = [incident(1, 0, 30), incident(2, 40, null)]

it.each([
  [50, [1, 2], []],
  [110, [2, 1], [2]],
])(
  'open incidents are sorted and filtered by how long they have lasted after %i minutes',
  (minutes, sorted, long) => {
    const { columns } = labelGrid(incidentColumnsAt(start + minutes * 60_000), { columns: {} }, 'en')
    const engine = createQueryEngine(rows, columns)
    const idsOf = (query: Partial<typeof initialGridState>) =>
      engine.query({ ...initialGridState, ...query }, columns).map(({ id }) => id)
    expect(idsOf({ sort: [{ column: 'duration', descending: true }] })).toEqual(sorted)
    const conditions = [{ operator: '>' as const, values: ['3600'] }]
    expect(idsOf({ filters: [{ column: 'duration', join: 'all', conditions }] })).toEqual(long)
  },
)
