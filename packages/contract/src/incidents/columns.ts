import { defineGrid, type GridDefinition, tonedOptions } from '../grid/columns.ts'
import type { IncidentEntry } from './incident.ts'

export type IncidentState = 'open' | 'acknowledged' | 'ended'

export const incidentState = ({
  ended_at,
  acknowledged_at,
}: Pick<IncidentEntry, 'ended_at' | 'acknowledged_at'>): IncidentState => {
  if (ended_at !== null) return 'ended'
  return acknowledged_at === null ? 'open' : 'acknowledged'
}

/** In seconds, up to now. */
const duration = ({ started_at, ended_at }: IncidentEntry, now: number): number =>
  Math.round(((ended_at === null ? now : Date.parse(ended_at)) - Date.parse(started_at)) / 1000)

/** `subject` is rendered by the screen for outages, which have no web. */
export const incidentColumns = defineGrid<IncidentEntry>({
  name: 'incidents',
  primaryColumns: ['subject', 'reason', 'state', 'duration'],
  columns: [
    {
      key: 'subject',
      kind: 'text',
      width: 250,
      minWidth: 172,
      value: ({ web, node, members }) => web?.fqdn ?? `${node ?? '–'} (${members})`,
    },
    {
      key: 'state',
      kind: 'status',
      // For "acknowledged".
      width: 135,
      minWidth: 129,
      options: tonedOptions({ open: 'red', acknowledged: 'orange', ended: 'grey' }),
      value: incidentState,
    },
    { key: 'reason', kind: 'text', wraps: true, width: 360, minWidth: 238 },
    { key: 'started_at', kind: 'date', width: 160 },
    { key: 'duration', kind: 'number', width: 120, minWidth: 112, value: (row) => duration(row, Date.now()) },
    { key: 'node', kind: 'select', isMonospaced: true, width: 140, minWidth: 95 },
    {
      key: 'customer',
      kind: 'text',
      width: 130,
      minWidth: 92,
      value: ({ customers }) => customers.join(', '),
    },
    {
      key: 'assigned_to',
      kind: 'text',
      width: 205,
      minWidth: 125,
      value: (row) => row.assigned_to?.email ?? null,
    },
    { key: 'id', kind: 'number', set: 'response', width: 75 },
    {
      key: 'kind',
      kind: 'status',
      set: 'response',
      width: 135,
      options: tonedOptions({ down: 'red', flapping: 'orange', moved: 'orange' }),
    },
    { key: 'ended_at', kind: 'date', set: 'response', width: 180 },
    { key: 'status', kind: 'number', set: 'response', width: 120 },
    { key: 'alerted_at', kind: 'date', set: 'response', width: 180 },
    { key: 'acknowledged_at', kind: 'date', set: 'response', width: 180 },
    {
      key: 'acknowledged_by',
      kind: 'text',
      set: 'response',
      width: 200,
      value: (row) => row.acknowledged_by?.email ?? null,
    },
    { key: 'note', kind: 'text', set: 'response', width: 240 },
    { key: 'comments', kind: 'number', set: 'response', width: 120 },
    { key: 'members', kind: 'number', set: 'response', width: 120 },
  ],
  sets: [{ key: 'response', isVisibleByDefault: false }],
})

/** The same for a screen that stays open: it sorts and filters by how long open incidents have lasted. @param now in Unix milliseconds */
export const incidentColumnsAt = (now: number): GridDefinition<IncidentEntry> => ({
  ...incidentColumns,
  columns: incidentColumns.columns.map((column) =>
    column.key === 'duration' ? { ...column, value: (row: IncidentEntry) => duration(row, now) } : column,
  ),
})
