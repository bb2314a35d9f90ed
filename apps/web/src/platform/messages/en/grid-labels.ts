import type { GridLabels, GridName } from '@kustos/contract/grid'
import { jobStates } from '@kustos/contract/queue'
import { labels } from '@kustos/contract/webs/labels'
import { textsFromKeys } from './texts-from-keys.ts'

export const gridLabels = {
  ...labels,
  domains: {
    columns: {
      id: 'Id',
      list: 'List',
      customer: 'Customer',
      fqdn: 'FQDN',
      status: 'Status',
      created_at: 'Created',
      mname: 'MName',
      checked_at: 'Checked',
      check_error: 'Not checked because',
      domainprovider: 'Domain Provider',
    },
    options: {
      list: { own: 'own', external: 'external' },
      status: { ok: 'ok', extern: 'extern or gone', error: 'error or NX', unknown: 'unknown' },
    },
    sets: { check: 'Latest check' },
  },
  emails: {
    columns: { id: 'Id', customer: 'Customer', address: 'Address', type: 'Type', created_at: 'Created' },
  },
  repositories: {
    columns: {
      name: 'Name',
      project: 'Project Name',
      description: 'Description',
      updated_on: 'Updated',
      created_on: 'Created',
      link: 'Link',
    },
  },
  users: {
    columns: {
      id: 'Id',
      email: 'E-Mail',
      name: 'Name',
      roles: 'Roles',
      state: 'State',
      created_at: 'Created',
      updated_at: 'Changed',
    },
    options: {
      state: { active: 'active', deleted: 'deleted' },
    },
  },
  queue: {
    columns: {
      id: 'Id',
      queue: 'Queue',
      job_name: 'Job Name',
      state: 'State',
      attempts: 'Attempts',
      created_at: 'Timestamp',
      failed_reason: 'Failed because',
    },
    options: {
      queue: {
        deployment: 'Deployments',
        monitoring: 'Monitoring',
        inspection: 'Inspections',
        notification: 'Alerts',
      },
      state: textsFromKeys(jobStates),
    },
  },
  logs: {
    columns: {
      created_at: 'Date',
      log_name: 'Log Name',
      description: 'Description',
      subject_type: 'Subject',
      subject_id: 'Subject id',
      causer: 'Causer',
      properties: 'Properties',
      subject_name: 'Subject name',
    },
  },
  uptime: {
    columns: {
      id: 'Id',
      fqdn: 'Fqdn',
      sysuser: 'Sysuser',
      node: 'Node',
      customer: 'Customer',
      http_status_code: 'HTTP Status Code',
      comment: 'Comment',
      actions: 'Actions',
      state: 'State',
      down_since: 'Down Since',
      response_time_ms: 'Response Time (ms)',
      probed_at: 'Probed',
    },
    options: {
      state: { up: 'up', down: 'down', unknown: 'unknown', unwatched: 'not monitored' },
    },
    sets: { probe: 'Latest probe' },
  },
  probes: {
    columns: {
      created_at: 'Time',
      web_id: 'Id',
      fqdn: 'FQDN',
      status: 'HTTP Status Code',
      response_time_ms: 'Response Time (ms)',
      reason: 'Reason',
    },
  },
} as const satisfies Record<GridName, GridLabels>
