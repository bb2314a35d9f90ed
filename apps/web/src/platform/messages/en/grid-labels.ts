import {
  type BatchAction,
  batchActions,
  batchName,
  batchStates,
  batchTargetStates,
} from '@kustos/contract/batches'
import type { GridLabels, GridName } from '@kustos/contract/grid'
import { jobStates } from '@kustos/contract/queue'
import { labels } from '@kustos/contract/webs/labels'
import { textsFromKeys } from './texts-from-keys.ts'

const batchActionLabels = Object.fromEntries(
  batchActions.map((action) => [action, batchName(action)]),
) as Readonly<Record<BatchAction, string>>

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
      mname: 'Primary name server',
      expires_at: 'Expires',
      checked_at: 'Checked',
      check_error: 'Check error',
      domainprovider: 'Domain provider',
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
  customers: {
    columns: {
      code: 'Code',
      name: 'Name',
      webs: 'Webs',
      down: 'Down now',
      domains: 'Domains',
      mailboxes: 'Mailboxes',
      tags: 'Tags',
      alert_channels: 'Alert channels',
      created_at: 'Created',
      updated_at: 'Changed',
    },
    sets: { details: 'Details' },
  },
  tags: {
    columns: {
      name: 'Name',
      type: 'Value',
      options: 'Values',
      description: 'Description',
      webs: 'Webs',
      customers: 'Customers',
      nodes: 'Nodes',
      updated_at: 'Changed',
    },
    options: { type: { none: 'none', text: 'text', list: 'one of a list', number: 'number', date: 'date' } },
    sets: { details: 'Details' },
  },
  repositories: {
    columns: {
      name: 'Name',
      project: 'Project name',
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
      state: 'Status',
      created_at: 'Created',
      updated_at: 'Changed',
    },
    options: {
      state: { active: 'active', deleted: 'deleted' },
    },
  },
  discovery: {
    columns: {
      fqdn: 'FQDN',
      state: 'State',
      differences: 'Differences',
      customer: 'Customer',
      sysuser: 'System user',
      framework: 'Framework',
      php_version: 'PHP',
      databases: 'Databases',
      sites: 'Sites',
      aliases: 'Aliases',
    },
    options: { state: { new: 'new', changed: 'changed', missing: 'missing', unchanged: 'unchanged' } },
  },
  nodes: {
    columns: {
      id: 'Id',
      name: 'Name',
      plesk_fqdn: 'Panel',
      webs: 'Webs',
      cloud_enabled: 'Deployments',
      plesk_key: 'API key',
      tags: 'Tags',
      host_key_fingerprint: 'SSH host key',
      address: 'Address of new webs',
      updated_at: 'Changed',
    },
    options: {
      cloud_enabled: { yes: 'allowed', no: 'not allowed' },
      plesk_key: { stored: 'stored', none: 'not stored' },
    },
    sets: { details: 'Details' },
  },
  queue: {
    columns: {
      id: 'Id',
      queue: 'Queue',
      job_name: 'Job Name',
      state: 'Status',
      attempts: 'Attempts',
      requested_by: 'Requested by',
      created_at: 'Timestamp',
      duration: 'Duration',
      failed_reason: 'Failure reason',
    },
    options: {
      queue: {
        deployment: 'Deployments',
        monitoring: 'Monitoring',
        inspection: 'Scans and audits',
        notification: 'Alerts',
      },
      state: textsFromKeys(jobStates),
    },
  },
  batches: {
    columns: {
      id: 'Id',
      action: 'Action',
      state: 'Status',
      total: 'Webs',
      succeeded: 'Succeeded',
      failed: 'Failed',
      skipped: 'Skipped',
      requested_by: 'Requested by',
      created_at: 'Requested',
      ended_at: 'Ended',
    },
    options: { action: batchActionLabels, state: textsFromKeys(batchStates) },
  },
  batchTargets: {
    columns: { fqdn: 'FQDN', state: 'Status', error: 'Reason', started_at: 'Started', ended_at: 'Ended' },
    options: { state: textsFromKeys(batchTargetStates) },
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
      state: 'Status',
      down_since: 'Down since',
      response_time_ms: 'Response time (ms)',
      probed_at: 'Probed',
      maintenance_until: 'Maintenance until',
    },
    options: {
      state: { up: 'up', down: 'down', unknown: 'unknown', unwatched: 'not monitored' },
    },
    sets: { probe: 'Latest probe' },
  },
  maintenance: {
    columns: {
      reason: 'Reason',
      state: 'Status',
      targets: 'Covers',
      repeats: 'Repeats',
      starts: 'Next start',
      ends: 'End',
      schedule: 'Schedule',
      planned_by: 'Planned by',
      last_day: 'Last day',
      created_at: 'Planned',
    },
    options: {
      state: { running: 'running', upcoming: 'upcoming', past: 'past' },
      repeats: { once: 'once', weekly: 'weekly', monthly: 'monthly' },
    },
    sets: { details: 'Details' },
  },
  probes: {
    columns: {
      created_at: 'Time',
      web_id: 'Id',
      fqdn: 'FQDN',
      status: 'HTTP Status Code',
      response_time_ms: 'Response time (ms)',
      reason: 'Reason',
    },
  },
} as const satisfies Record<GridName, GridLabels>
