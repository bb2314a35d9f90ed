import { defineGrid, tonedOptions } from '../grid/columns.ts'
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
const duration = ({ started_at, ended_at }: IncidentEntry): number =>
  Math.round(((ended_at === null ? Date.now() : Date.parse(ended_at)) - Date.parse(started_at)) / 1000)

/** `subject` is rendered by the screen for outages, which have no web. */
export const incidentColumns = defineGrid<IncidentEntry>({
  name: 'incidents',
  primaryColumns: ['subject', 'state', 'duration'],
  columns: [
    { key: 'id', kind: 'number', width: 80 },
    {
      key: 'subject',
      kind: 'text',
      width: 260,
      value: ({ web, node, members }) => web?.fqdn ?? `${node ?? '–'} (${members})`,
    },
    {
      key: 'state',
      kind: 'status',
      width: 140,
      options: tonedOptions({ open: 'red', acknowledged: 'orange', ended: 'grey' }),
      value: incidentState,
    },
    { key: 'started_at', kind: 'date', width: 165 },
    { key: 'duration', kind: 'number', width: 120, value: duration },
    { key: 'reason', kind: 'text', width: 240 },
    { key: 'node', kind: 'select', isMonospaced: true, width: 110 },
    { key: 'customer', kind: 'text', width: 130, value: ({ customers }) => customers.join(', ') },
    { key: 'members', kind: 'number', width: 90 },
    { key: 'assigned_to', kind: 'text', width: 200, value: (row) => row.assigned_to?.email ?? null },
    { key: 'comments', kind: 'number', width: 120 },
    { key: 'ended_at', kind: 'date', set: 'response', width: 165 },
    { key: 'status', kind: 'number', set: 'response', width: 120 },
    { key: 'alerted_at', kind: 'date', set: 'response', width: 165 },
    { key: 'acknowledged_at', kind: 'date', set: 'response', width: 165 },
    {
      key: 'acknowledged_by',
      kind: 'text',
      set: 'response',
      width: 200,
      value: (row) => row.acknowledged_by?.email ?? null,
    },
    { key: 'note', kind: 'text', set: 'response', width: 240 },
  ],
  sets: [{ key: 'response', isVisibleByDefault: false }],
})
