import { defineGrid, tonedOptions } from '../grid/columns.ts'
import type { MonitoredWeb, Statistic } from './monitoring.ts'

export const watchStateOptions = tonedOptions({
  up: 'green',
  down: 'red',
  unknown: 'grey',
  unwatched: 'grey',
})
export type WatchState = 'up' | 'down' | 'unknown' | 'unwatched'

/** `unknown` without a recent probe, `unwatched` if monitoring is off. */
export function watchState(
  web: Pick<MonitoredWeb, 'down_since' | 'monitoring_web_active' | 'probed_at'>,
): WatchState {
  if (web.monitoring_web_active === 0) return 'unwatched'
  if (web.down_since !== null) return 'down'
  return web.probed_at === null ? 'unknown' : 'up'
}

export const uptimePath = ({ id, fqdn }: { readonly id: number; readonly fqdn: string }): string =>
  `/monitoring/webs/show/${id}/${encodeURIComponent(fqdn)}`

/** The specification's columns, then others. Buttons in `actions` are rendered by the screen. */
export const monitoredWebColumns = defineGrid<MonitoredWeb>({
  name: 'uptime',
  first: ['fqdn', 'http_status_code'],
  columns: [
    { key: 'id', kind: 'number', width: 64 },
    { key: 'fqdn', kind: 'text', mono: true, width: 260 },
    { key: 'sysuser', kind: 'text', mono: true, width: 152 },
    { key: 'node', kind: 'select', mono: true, width: 110 },
    { key: 'customer', kind: 'text', width: 120 },
    { key: 'http_status_code', kind: 'number', width: 176 },
    { key: 'comment', kind: 'text', width: 180 },
    { key: 'actions', kind: 'text', bare: true, width: 110, value: () => null },
    { key: 'state', kind: 'status', set: 'probe', width: 120, options: watchStateOptions, value: watchState },
    { key: 'down_since', kind: 'date', set: 'probe', width: 170 },
    { key: 'response_time_ms', kind: 'number', set: 'probe', width: 176 },
    { key: 'probed_at', kind: 'date', set: 'probe', width: 170 },
  ],
  sets: [{ key: 'probe', shown: false }],
})

export const statisticColumns = defineGrid<Statistic>({
  name: 'probes',
  first: ['fqdn', 'status', 'created_at'],
  columns: [
    { key: 'created_at', kind: 'date', width: 170 },
    { key: 'web_id', kind: 'number', width: 72, value: (row) => row.web.id },
    { key: 'fqdn', kind: 'text', mono: true, width: 300, value: (row) => row.web.fqdn },
    { key: 'status', kind: 'number', width: 170 },
    { key: 'response_time_ms', kind: 'number', width: 176 },
    { key: 'reason', kind: 'text', width: 280 },
  ],
})
