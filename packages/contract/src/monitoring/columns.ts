import type { GridColumns } from '../grid/columns.ts'
import type { MonitoredWeb, Statistic } from './monitoring.ts'

/** The Check uptime list. Its screen adds the button to the uptime page. */
export const monitoredWebColumns: GridColumns<MonitoredWeb> = {
  columns: [
    { key: 'id', label: 'Id', kind: 'number', width: 64, value: (web) => web.id },
    { key: 'fqdn', label: 'Fqdn', kind: 'text', mono: true, width: 280, value: (web) => web.fqdn },
    { key: 'sysuser', label: 'Sysuser', kind: 'text', mono: true, width: 150, value: (web) => web.sysuser },
    { key: 'node', label: 'Node', kind: 'select', mono: true, width: 130, value: (web) => web.node },
    { key: 'customer', label: 'Customer', kind: 'text', width: 130, value: (web) => web.customer },
    {
      key: 'http_status_code',
      label: 'HTTP Status Code',
      kind: 'number',
      width: 170,
      value: (web) => web.http_status_code,
    },
    {
      key: 'response_time_ms',
      label: 'Response Time (ms)',
      kind: 'number',
      width: 160,
      value: (web) => web.response_time_ms,
    },
    { key: 'probed_at', label: 'Probed', kind: 'date', width: 150, value: (web) => web.probed_at },
    { key: 'comment', label: 'Comment', kind: 'text', width: 280, value: (web) => web.comment },
  ],
  sets: [],
  german: {
    columns: {
      id: 'Id',
      fqdn: 'FQDN',
      sysuser: 'Systembenutzer',
      node: 'Node',
      customer: 'Kunde',
      http_status_code: 'HTTP-Statuscode',
      response_time_ms: 'Antwortzeit (ms)',
      probed_at: 'Geprüft',
      comment: 'Kommentar',
    },
    options: {},
    sets: {},
  },
}

/** The Events grid: one row for each probe. */
export const statisticColumns: GridColumns<Statistic> = {
  columns: [
    { key: 'created_at', label: 'Time', kind: 'date', width: 170, value: (row) => row.created_at },
    { key: 'web_id', label: 'Id', kind: 'number', width: 80, value: (row) => row.web.id },
    { key: 'fqdn', label: 'Fqdn', kind: 'text', mono: true, width: 320, value: (row) => row.web.fqdn },
    { key: 'status', label: 'HTTP Status Code', kind: 'number', width: 170, value: (row) => row.status },
    {
      key: 'response_time_ms',
      label: 'Response Time (ms)',
      kind: 'number',
      width: 170,
      value: (row) => row.response_time_ms,
    },
    { key: 'reason', label: 'Reason', kind: 'text', width: 360, value: (row) => row.reason },
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
