import type { GridColumns, Option } from '../grid/columns.ts'
import type { MonitoredWeb, Statistic } from './monitoring.ts'

/** What is known of a web at this moment. */
export const watchStateOptions: readonly Option[] = [
  { value: 'up', label: 'up', tone: 'green' },
  { value: 'down', label: 'down', tone: 'red' },
  { value: 'unknown', label: 'unknown', tone: 'grey' },
  { value: 'unwatched', label: 'not monitored', tone: 'grey' },
]
export type WatchState = 'up' | 'down' | 'unknown' | 'unwatched'

/** @returns unknown where there was no probe of late, unwatched where the web is not probed at all */
export function watchState(
  web: Pick<MonitoredWeb, 'down_since' | 'monitoring_web_active' | 'probed_at'>,
): WatchState {
  if (web.monitoring_web_active === 0) return 'unwatched'
  if (web.down_since !== null) return 'down'
  return web.probed_at === null ? 'unknown' : 'up'
}

/** The screen that shows a web's uptime. */
export const uptimePath = ({ id, fqdn }: { readonly id: number; readonly fqdn: string }): string =>
  `/monitoring/webs/show/${id}/${encodeURIComponent(fqdn)}`

/** The Check uptime list: the specification's columns, then what else is known. Its screen gives Actions their button. */
export const monitoredWebColumns: GridColumns<MonitoredWeb> = {
  columns: [
    { key: 'id', label: 'Id', kind: 'number', width: 64, value: (web) => web.id },
    { key: 'fqdn', label: 'Fqdn', kind: 'text', mono: true, width: 260, value: (web) => web.fqdn },
    { key: 'sysuser', label: 'Sysuser', kind: 'text', mono: true, width: 152, value: (web) => web.sysuser },
    { key: 'node', label: 'Node', kind: 'select', mono: true, width: 110, value: (web) => web.node },
    { key: 'customer', label: 'Customer', kind: 'text', width: 120, value: (web) => web.customer },
    {
      key: 'http_status_code',
      label: 'HTTP Status Code',
      kind: 'number',
      width: 176,
      value: (web) => web.http_status_code,
    },
    { key: 'comment', label: 'Comment', kind: 'text', width: 180, value: (web) => web.comment },
    { key: 'actions', label: 'Actions', kind: 'text', bare: true, width: 110, value: () => null },
    {
      key: 'state',
      label: 'State',
      kind: 'status',
      set: 'probe',
      width: 120,
      options: watchStateOptions,
      value: watchState,
    },
    {
      key: 'down_since',
      label: 'Down Since',
      kind: 'date',
      set: 'probe',
      width: 170,
      value: (web) => web.down_since,
    },
    {
      key: 'response_time_ms',
      label: 'Response Time (ms)',
      kind: 'number',
      set: 'probe',
      width: 176,
      value: (web) => web.response_time_ms,
    },
    {
      key: 'probed_at',
      label: 'Probed',
      kind: 'date',
      set: 'probe',
      width: 170,
      value: (web) => web.probed_at,
    },
  ],
  sets: [{ key: 'probe', label: 'Latest probe', shown: false }],
  german: {
    columns: {
      id: 'Id',
      fqdn: 'FQDN',
      sysuser: 'Systembenutzer',
      node: 'Node',
      customer: 'Kunde',
      http_status_code: 'HTTP-Statuscode',
      comment: 'Kommentar',
      actions: 'Aktionen',
      state: 'Zustand',
      down_since: 'Ausgefallen seit',
      response_time_ms: 'Antwortzeit (ms)',
      probed_at: 'Geprüft',
    },
    options: {
      state: { up: 'erreichbar', down: 'ausgefallen', unknown: 'unbekannt', unwatched: 'nicht überwacht' },
    },
    sets: { probe: 'Letzte Prüfung' },
  },
}

/** The Events grid: one row for each probe. */
export const statisticColumns: GridColumns<Statistic> = {
  columns: [
    { key: 'created_at', label: 'Time', kind: 'date', width: 170, value: (row) => row.created_at },
    { key: 'web_id', label: 'Id', kind: 'number', width: 72, value: (row) => row.web.id },
    { key: 'fqdn', label: 'FQDN', kind: 'text', mono: true, width: 300, value: (row) => row.web.fqdn },
    { key: 'status', label: 'HTTP Status Code', kind: 'number', width: 170, value: (row) => row.status },
    {
      key: 'response_time_ms',
      label: 'Response Time (ms)',
      kind: 'number',
      width: 176,
      value: (row) => row.response_time_ms,
    },
    { key: 'reason', label: 'Reason', kind: 'text', width: 280, value: (row) => row.reason },
  ],
  sets: [],
  german: {
    columns: {
      created_at: 'Zeit',
      web_id: 'Id',
      fqdn: 'FQDN',
      status: 'HTTP-Statuscode',
      response_time_ms: 'Antwortzeit (ms)',
      reason: 'Grund',
    },
    options: {},
    sets: {},
  },
}
