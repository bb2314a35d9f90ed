import { type GridDefinition, tonedOptions } from '../grid/columns.ts'
import type { MonitoredWeb, Statistic } from './monitoring.ts'

export const watchStateOptions = tonedOptions({
  up: 'green',
  down: 'red',
  unknown: 'grey',
  unwatched: 'grey',
})
export type WatchState = 'up' | 'down' | 'unknown' | 'unwatched'

/** @returns unknown if there was no recent probe, unwatched if monitoring is off */
export function watchState(
  web: Pick<MonitoredWeb, 'down_since' | 'monitoring_web_active' | 'probed_at'>,
): WatchState {
  if (web.monitoring_web_active === 0) return 'unwatched'
  if (web.down_since !== null) return 'down'
  return web.probed_at === null ? 'unknown' : 'up'
}

export const uptimePath = ({ id, fqdn }: { readonly id: number; readonly fqdn: string }): string =>
  `/monitoring/webs/show/${id}/${encodeURIComponent(fqdn)}`

/** The Check uptime list: the specification's columns, then what else is known. Its screen gives Actions their button. */
export const monitoredWebColumns: GridDefinition<MonitoredWeb> = {
  name: 'uptime',
  columns: [
    { key: 'id', kind: 'number', width: 64, value: (web) => web.id },
    { key: 'fqdn', kind: 'text', mono: true, width: 260, value: (web) => web.fqdn },
    { key: 'sysuser', kind: 'text', mono: true, width: 152, value: (web) => web.sysuser },
    { key: 'node', kind: 'select', mono: true, width: 110, value: (web) => web.node },
    { key: 'customer', kind: 'text', width: 120, value: (web) => web.customer },
    { key: 'http_status_code', kind: 'number', width: 176, value: (web) => web.http_status_code },
    { key: 'comment', kind: 'text', width: 180, value: (web) => web.comment },
    { key: 'actions', kind: 'text', bare: true, width: 110, value: () => null },
    { key: 'state', kind: 'status', set: 'probe', width: 120, options: watchStateOptions, value: watchState },
    { key: 'down_since', kind: 'date', set: 'probe', width: 170, value: (web) => web.down_since },
    {
      key: 'response_time_ms',
      kind: 'number',
      set: 'probe',
      width: 176,
      value: (web) => web.response_time_ms,
    },
    { key: 'probed_at', kind: 'date', set: 'probe', width: 170, value: (web) => web.probed_at },
  ],
  sets: [{ key: 'probe', shown: false }],
}

export const statisticColumns: GridDefinition<Statistic> = {
  name: 'probes',
  columns: [
    { key: 'created_at', kind: 'date', width: 170, value: (row) => row.created_at },
    { key: 'web_id', kind: 'number', width: 72, value: (row) => row.web.id },
    { key: 'fqdn', kind: 'text', mono: true, width: 300, value: (row) => row.web.fqdn },
    { key: 'status', kind: 'number', width: 170, value: (row) => row.status },
    { key: 'response_time_ms', kind: 'number', width: 176, value: (row) => row.response_time_ms },
    { key: 'reason', kind: 'text', width: 280, value: (row) => row.reason },
  ],
  sets: [],
}
