import { nodeActionNames } from '@kustos/contract/deployment'
import { expect } from 'vitest'
import { readLastEntryId } from '../last-entry.ts'
import type { LoggedFixtures } from '../logged-fixtures.ts'
import type { BuildCalls, LoggedCall } from './call.ts'

const nodeAction = (fixtures: LoggedFixtures, kind: string) => async (): Promise<LoggedCall> => {
  const { id } = await fixtures.web({ repository: 'web134-kickstarter-base' })
  return {
    body: { id },
    entry: {
      log_name: 'deployment',
      description: `${kind} requested`,
      subject_type: 'web',
      subject_id: id,
      properties: { attributes: { deployment: expect.any(Number) } },
    },
  }
}
const view = {
  list: 'webs',
  name: 'My view',
  query: 'q=alpen',
  column_order: ['fqdn', 'id'],
  column_widths: { fqdn: 300 },
  audience: 'private',
  role_id: null,
}
const { role_id: _, ...loggedView } = { ...view, role: null, column_widths: ['fqdn=300'] }

export const operationsCalls: BuildCalls = (fixtures) => ({
  ...Object.fromEntries(nodeActionNames.map((name) => [`deployment.${name}`, nodeAction(fixtures, name)])),
  'deployment.newWeb': async () => {
    const body = {
      sourceRepo: 'web134-kickstarter-base',
      bnName: 'bn1234',
      futureDomain: 'alpenhof.test',
      customer: 'ALPEN',
    }
    const attributes = { ...body, repository: 'web134-alpenhof.test', node: 'n1' }
    const entry = { log_name: 'deployment', description: 'newWeb requested', subject_type: 'deployment' }
    return { body, entry: { ...entry, properties: { attributes } } }
  },
  'deployment.retryDeployment': async () => {
    const { id } = await fixtures.deployment('failed')
    const entry = { log_name: 'deployment', description: 'backupWeb retried', subject_type: 'web' }
    return { params: { id }, entry: { ...entry, properties: { attributes: { deployment: id } } } }
  },
  'deployment.cancelDeployment': async () => {
    const { id } = await fixtures.deployment('waiting')
    const entry = { log_name: 'deployment', description: 'backupWeb cancelled', subject_type: 'web' }
    return { params: { id }, entry: { ...entry, properties: { attributes: { deployment: id } } } }
  },
  'batches.createBatch': async () => {
    const { id } = await fixtures.web()
    const attributes = { action: 'refresh', webs: 1 }
    return {
      body: { action: 'refresh', webs: [id] },
      entry: {
        log_name: 'batches',
        description: 'created',
        subject_type: 'batch',
        properties: { attributes },
      },
    }
  },
  'batches.cancelBatch': async () => ({
    params: { id: await fixtures.batch('running', { target: 'waiting' }) },
    entry: { log_name: 'batches', description: 'cancelled', subject_type: 'batch' },
  }),
  'batches.revertBatch': async () => ({
    params: { id: await fixtures.batch('succeeded', { action: 'delete', target: 'succeeded' }) },
    entry: { log_name: 'batches', description: 'created', subject_type: 'batch' },
  }),
  'batches.retryBatch': async () => ({
    params: { id: await fixtures.batch('stopped') },
    entry: { log_name: 'batches', description: 'retried', subject_type: 'batch' },
  }),
  'logs.exportLogs': async () => ({
    entry: { log_name: 'audit-log', description: 'exported', properties: { attributes: { filter: {} } } },
  }),
  'logs.revertChange': async () => {
    const { id, name: fqdn } = await fixtures.web()
    const facts = { fqdn, customer: 'BERG', configured_ip: '192.0.2.1' }
    await fixtures.admin.send('PUT', `/api/webs/${id}`, facts)
    const reverted = await readLastEntryId(fixtures.db)
    const properties = { old: { customer: 'BERG' }, attributes: { customer: 'ALPEN', reverts: reverted } }
    return {
      params: { id: reverted },
      entry: { log_name: 'webs', description: 'updated', subject_id: id, properties },
    }
  },
  'maintenance.planWindow': async () => {
    const { id, name } = await fixtures.web()
    const times = { starts_at: '2030-01-01T20:00:00.000Z', ends_at: '2030-01-01T21:00:00.000Z' }
    const attributes = expect.objectContaining({ reason: 'Kernel', webs: [name], repeats: 'once', ...times })
    const entry = { log_name: 'maintenance', description: 'created', subject_type: 'maintenance_window' }
    return {
      body: { reason: 'Kernel', webs: [id], repeats: 'once', ...times },
      entry: { ...entry, properties: { attributes } },
    }
  },
  'maintenance.editWindow': async () => {
    const { id, web_id, reason, starts_at, ends_at } = await fixtures.maintenanceWindow()
    const entry = { description: 'updated', subject_type: 'maintenance_window', subject_id: id }
    return {
      params: { id },
      body: { reason: 'PHP 8.4', webs: [web_id], repeats: 'once', starts_at, ends_at },
      entry: { ...entry, properties: { old: { reason }, attributes: { reason: 'PHP 8.4' } } },
    }
  },
  'maintenance.deleteWindow': async () => {
    const { id, reason, fqdn } = await fixtures.maintenanceWindow()
    const old = expect.objectContaining({ reason, webs: [fqdn] })
    const entry = { description: 'deleted', subject_type: 'maintenance_window', subject_id: id }
    return { params: { id }, entry: { ...entry, properties: { old } } }
  },
  'maintenance.endWindow': async () => {
    const { id, ends_at } = await fixtures.maintenanceWindow()
    const properties = expect.objectContaining({ old: { ends_at: ends_at.toISOString() } })
    const entry = { description: 'ended', subject_type: 'maintenance_window', subject_id: id }
    return { params: { id }, entry: { ...entry, properties } }
  },
  'maintenance.endMaintenance': async () => {
    const { web_id: id, reason } = await fixtures.maintenanceWindow()
    const entry = { log_name: 'maintenance', description: 'ended', subject_type: 'web', subject_id: id }
    return { params: { id }, entry: { ...entry, properties: { attributes: { maintenance: [reason] } } } }
  },
  'views.createView': async () => ({
    body: view,
    entry: {
      log_name: 'views',
      description: 'created',
      subject_type: 'view',
      properties: { attributes: loggedView },
    },
  }),
  'views.editView': async () => {
    const { id, name } = await fixtures.view()
    return {
      params: { id },
      body: { ...view, name, column_order: [], column_widths: {}, audience: 'everyone' },
      entry: {
        description: 'updated',
        subject_type: 'view',
        subject_id: id,
        properties: { old: { query: '' }, attributes: { query: view.query } },
      },
    }
  },
  'views.deleteView': async () => {
    const { id, name } = await fixtures.view()
    const shown = { query: '', column_order: [], column_widths: [] }
    const old = { ...loggedView, ...shown, name, audience: 'everyone' }
    return {
      params: { id },
      entry: { description: 'deleted', subject_type: 'view', subject_id: id, properties: { old } },
    }
  },
  'views.editViewPreference': async () => {
    const { id } = await fixtures.view()
    const properties = { old: { is_pinned: false }, attributes: { is_pinned: true } }
    return {
      params: { id },
      body: { is_pinned: true, is_default: false },
      entry: { description: 'preference changed', subject_type: 'view', subject_id: id, properties },
    }
  },
  'views.editViewNotifications': async () => {
    const { id } = await fixtures.view()
    const properties = { old: { notifications: 'off' }, attributes: { notifications: 'daily' } }
    return {
      params: { id },
      body: { delivery: 'daily' },
      entry: { description: 'preference changed', subject_type: 'view', subject_id: id, properties },
    }
  },
})
