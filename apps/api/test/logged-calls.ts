import { type AttentionList, attentionRoutes } from '@kustos/contract/attention'
import { nodeActionNames } from '@kustos/contract/deployment'
import { incidentsRoutes } from '@kustos/contract/incidents'
import { type Route, urlOf } from '@kustos/contract/route'
import { discoveredWebs, users } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { type ApiClient, password } from './api-client.ts'
import { readLastEntryId } from './last-entry.ts'
import { type LoggedFixtures, only } from './logged-fixtures.ts'

export interface LoggedCall {
  readonly by?: ApiClient
  readonly causer?: number
  readonly params?: Readonly<Record<string, number | string>>
  readonly body?: unknown
  /** The expected log entry. */
  readonly entry: object
}

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
const inspection =
  (fixtures: LoggedFixtures, log_name: string, description: string) => async (): Promise<LoggedCall> => {
    const { id } = await fixtures.web()
    const entry = { log_name, description, subject_type: 'web', subject_id: id }
    return { params: { id }, entry }
  }
/** @param before what is done first */
const attention =
  (fixtures: LoggedFixtures, description: string, body?: object, before?: readonly [Route, object]) =>
  async (): Promise<LoggedCall> => {
    const web = await fixtures.web({ status: 0, framework_name: 'TYPO3', framework_version: '8.7' })
    const { data } = await fixtures.admin.json<AttentionList>('/api/attention?limit=1000')
    const { id, kind, since } = only(data.filter(({ web_id }) => web_id === web.id))
    if (before) await fixtures.admin.send('PUT', urlOf(before[0], { id }), before[1])
    const attributes = expect.objectContaining({ kind, since: new Date(since).toISOString() })
    const entry = { log_name: 'attention', description, subject_type: 'web', subject_id: web.id }
    return { params: { id }, body, entry: { ...entry, properties: { attributes } } }
  }
/** A change of an incident. @param before what is done first */
const incident =
  (fixtures: LoggedFixtures, description: string, body?: object, before?: readonly [Route, object]) =>
  async (): Promise<LoggedCall> => {
    const { id, deployment } = await fixtures.incident()
    const filled = (given: object) =>
      'deployment' in given && given.deployment !== null ? { deployment } : given
    if (before) await fixtures.admin.send(before[0].method, urlOf(before[0], { id }), filled(before[1]))
    const entry = { log_name: 'incidents', description, subject_type: 'incident', subject_id: id }
    return { params: { id }, body: body && filled(body), entry }
  }
/** What is done about an incident is done about its entry in the attention list. */
const handledIncident =
  (fixtures: LoggedFixtures, description: string, body?: object, before?: readonly [Route, object]) =>
  async (): Promise<LoggedCall> => {
    const { id, web } = await fixtures.incident()
    if (before) await fixtures.admin.send('PUT', urlOf(before[0], { id }), before[1])
    return {
      params: { id },
      body,
      entry: { log_name: 'attention', description, subject_type: 'web', subject_id: web },
    }
  }
const { acknowledgeEntry, assignEntry, snoozeEntry } = attentionRoutes
const snooze = { until: '2030-01-01T00:00:00Z' }
const domain = { fqdn: 'extern.test', customer: 'BERG', domainprovider: 'Other' }
const view = {
  list: 'webs',
  name: 'My view',
  query: 'q=alpen',
  column_order: ['fqdn', 'id'],
  column_widths: { fqdn: 300 },
  audience: 'private',
  role_id: null,
}
const { role_id: _, ...loggedView } = { ...view, role: null }
const web = { fqdn: 'new.test', customer: 'ALPEN', configured_ip: '192.0.2.7' }

/** A successful call of each route that changes something, with its expected log entry. */
export const buildLoggedCalls = (
  fixtures: LoggedFixtures,
): Readonly<Record<string, () => Promise<LoggedCall>>> => ({
  'attention.acknowledgeEntry': attention(fixtures, 'acknowledged', { note: 'Seen' }),
  'attention.withdrawAcknowledgement': attention(fixtures, 'acknowledgement withdrawn', undefined, [
    acknowledgeEntry,
    {},
  ]),
  'attention.assignEntry': attention(fixtures, 'assigned', { user: fixtures.adminId }),
  'attention.unassignEntry': attention(fixtures, 'assignment withdrawn', undefined, [
    assignEntry,
    { user: fixtures.adminId },
  ]),
  'attention.snoozeEntry': attention(fixtures, 'snoozed', snooze),
  'attention.endSnooze': attention(fixtures, 'snooze ended', undefined, [snoozeEntry, snooze]),
  'incidents.acknowledgeIncident': handledIncident(fixtures, 'acknowledged', { note: 'Seen' }),
  'incidents.withdrawIncidentAcknowledgement': handledIncident(
    fixtures,
    'acknowledgement withdrawn',
    undefined,
    [incidentsRoutes.acknowledgeIncident, {}],
  ),
  'incidents.assignIncident': handledIncident(fixtures, 'assigned', { user: fixtures.adminId }),
  'incidents.unassignIncident': handledIncident(fixtures, 'assignment withdrawn', undefined, [
    incidentsRoutes.assignIncident,
    { user: fixtures.adminId },
  ]),
  'incidents.addIncidentComment': incident(fixtures, 'commented', { text: 'Looking' }),
  'incidents.writePostMortem': incident(fixtures, 'post-mortem written', { text: 'The disk was full.' }),
  'incidents.linkDeployment': incident(fixtures, 'deployment linked', { deployment: 1 }),
  'incidents.findDeployment': incident(fixtures, 'deployment unlinked', undefined, [
    incidentsRoutes.linkDeployment,
    { deployment: 1 },
  ]),
  'auth.signIn': async () => {
    const by = fixtures.client()
    await by.fetch('/sanctum/csrf-cookie')
    return {
      by,
      body: { email: 'admin@kustos.test', password, remember: true },
      entry: {
        log_name: 'auth',
        description: 'signed in',
        subject_type: 'user',
        subject_id: fixtures.adminId,
        properties: { attributes: { address: '127.0.0.1' } },
      },
    }
  },
  'auth.signOut': async () => {
    const { id, client } = await fixtures.anotherAdmin()
    const entry = { log_name: 'auth', description: 'signed out', subject_type: 'user', subject_id: id }
    return { by: client, causer: id, entry }
  },
  'auth.confirmPassword': async () => ({
    body: { password },
    entry: {
      log_name: 'auth',
      description: 'password confirmed',
      subject_type: 'user',
      subject_id: fixtures.adminId,
      properties: {},
    },
  }),
  'auth.endSession': async () => {
    const { id, email, client } = await fixtures.anotherAdmin()
    await fixtures.visit(email)
    const sessions = await client.json<{ id: number; is_current: boolean }[]>('/api/sessions')
    const other = only(sessions.filter((session) => !session.is_current)).id
    const entry = { log_name: 'auth', description: 'session ended', subject_type: 'user', subject_id: id }
    return { by: client, causer: id, params: { id: other }, entry }
  },
  'auth.endOtherSessions': async () => {
    const { id, email, client } = await fixtures.anotherAdmin()
    await fixtures.visit(email)
    return {
      by: client,
      causer: id,
      entry: {
        log_name: 'auth',
        description: 'other sessions ended',
        properties: { attributes: { sessions: 1 } },
      },
    }
  },
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
    params: { id: await fixtures.batch('running') },
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
  'external-domains.createExternalDomain': async () => ({
    body: domain,
    entry: {
      log_name: 'external-domains',
      description: 'created',
      subject_type: 'external_domain',
      properties: { attributes: domain },
    },
  }),
  'external-domains.editExternalDomain': async () => {
    const { id, name } = await fixtures.domain()
    return {
      params: { id },
      body: { fqdn: name, customer: 'BERG', domainprovider: 'Other' },
      entry: {
        description: 'updated',
        subject_type: 'external_domain',
        subject_id: id,
        properties: { old: { customer: 'ALPEN' }, attributes: { customer: 'BERG' } },
      },
    }
  },
  'external-domains.deleteExternalDomain': async () => {
    const { id, name } = await fixtures.domain()
    const old = { fqdn: name, customer: 'ALPEN', domainprovider: 'Other' }
    const entry = { description: 'deleted', subject_type: 'external_domain', subject_id: id }
    return { params: { id }, entry: { ...entry, properties: { old } } }
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
    const shown = { query: '', column_order: [], column_widths: {} }
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
  'tracking.updateTracking': inspection(fixtures, 'tracking', 'audit requested'),
  'webs.refreshWeb': inspection(fixtures, 'webs', 'refresh requested'),
  'webs.createWeb': async () => ({
    body: { ...web, node: 'n1', categories: [fixtures.categoryId] },
    entry: {
      log_name: 'webs',
      description: 'created',
      subject_type: 'web',
      properties: { attributes: expect.objectContaining({ ...web, node: 'n1', categories: ['Hotel'] }) },
    },
  }),
  'webs.editWeb': async () => {
    const { id, name: fqdn } = await fixtures.web()
    return {
      params: { id },
      body: { fqdn, customer: 'BERG', configured_ip: '192.0.2.1', categories: [fixtures.categoryId] },
      entry: {
        log_name: 'webs',
        description: 'updated',
        subject_type: 'web',
        subject_id: id,
        properties: {
          old: { customer: 'ALPEN', categories: [] },
          attributes: { customer: 'BERG', categories: ['Hotel'] },
        },
      },
    }
  },
  'webs.deleteWeb': async () => {
    const { id, name } = await fixtures.web()
    const entry = { log_name: 'webs', description: 'deleted', subject_type: 'web', subject_id: id }
    const old = expect.objectContaining({ fqdn: name, node: 'n1' })
    return { params: { id }, entry: { ...entry, properties: { old } } }
  },
  'webs.restoreWeb': async () => {
    const { id, name } = await fixtures.web({ deleted_at: new Date() })
    const entry = { log_name: 'webs', description: 'restored', subject_type: 'web', subject_id: id }
    const attributes = expect.objectContaining({ fqdn: name })
    return { params: { id }, entry: { ...entry, properties: { attributes } } }
  },
  'webs.exportWebs': async () => {
    const entry = { log_name: 'webs', description: 'exported', subject_type: null }
    const attributes = { export: 'webs', rows: expect.any(Number) }
    return { entry: { ...entry, properties: { attributes } } }
  },
  'webs.exportTracking': async () => {
    const attributes = { export: 'tracking', rows: expect.any(Number) }
    return { entry: { log_name: 'webs', description: 'exported', properties: { attributes } } }
  },
  'users.createUser': async () => {
    const facts = { email: 'new@kustos.test', name: 'New', monitoring_mail_subscription: true }
    fixtures.secrets.add('a password of seven words')
    const role = await fixtures.role()
    return {
      body: { ...facts, password: 'a password of seven words', roles: [role.id] },
      entry: {
        log_name: 'users',
        description: 'created',
        subject_type: 'user',
        properties: { attributes: { ...facts, roles: [role.name] } },
      },
    }
  },
  'users.editUser': async () => {
    const { id, name: email } = await fixtures.user()
    const role = await fixtures.role()
    fixtures.secrets.add('another password, longer')
    return {
      params: { id },
      body: { email, name: 'Renamed', password: 'another password, longer', roles: [role.id] },
      entry: {
        log_name: 'users',
        description: 'updated, with a new password',
        subject_type: 'user',
        subject_id: id,
        properties: {
          old: { name: email, roles: [`role of ${email}`] },
          attributes: { name: 'Renamed', roles: [role.name] },
        },
      },
    }
  },
  'users.confirmEmailChange': async () => {
    const { id, email, client } = await fixtures.anotherAdmin()
    const token = 'a token of the mail'
    await fixtures.emailChange(id, `new-${email}`, token)
    return {
      by: client,
      causer: id,
      body: { token },
      entry: {
        log_name: 'users',
        description: 'updated',
        subject_type: 'user',
        subject_id: id,
        properties: { old: { email }, attributes: { email: `new-${email}` } },
      },
    }
  },
  'users.cancelEmailChange': async () => {
    const { id, email, client } = await fixtures.anotherAdmin()
    await fixtures.emailChange(id, `new-${email}`, 'another token')
    const entry = { log_name: 'users', description: 'e-mail change cancelled', subject_id: id }
    return { by: client, causer: id, entry }
  },
  'users.deleteUser': async () => {
    const { id, name } = await fixtures.user()
    const old = expect.objectContaining({ email: name })
    const entry = { log_name: 'users', description: 'deleted', subject_type: 'user', subject_id: id }
    return { params: { id }, entry: { ...entry, properties: { old } } }
  },
  'users.endUserSessions': async () => {
    const { id } = await fixtures.anotherAdmin()
    return {
      params: { id },
      entry: {
        log_name: 'auth',
        description: 'all sessions ended',
        subject_type: 'user',
        subject_id: id,
        properties: { attributes: { sessions: 1 } },
      },
    }
  },
  'users.restoreUser': async () => {
    const { id } = await fixtures.user()
    await fixtures.db.update(users).set({ deleted_at: new Date() }).where(eq(users.id, id))
    const entry = { log_name: 'users', description: 'restored', subject_type: 'user', subject_id: id }
    return { params: { id }, entry }
  },
  'customers.createCustomer': async () => {
    const attributes = { code: 'NEU', name: 'Neu GmbH', alert_channels: ['slack'] }
    const entry = { log_name: 'customers', description: 'created', subject_type: 'customer' }
    return { body: attributes, entry: { ...entry, properties: { attributes } } }
  },
  'customers.editCustomer': async () => {
    const { id, code } = await fixtures.customer()
    return {
      params: { code },
      body: { notes: 'Pays late' },
      entry: {
        log_name: 'customers',
        description: 'updated',
        subject_type: 'customer',
        subject_id: id,
        properties: { old: { notes: null }, attributes: { notes: 'Pays late' } },
      },
    }
  },
  'customers.mergeCustomers': async () => {
    const [{ code: from }, { id, code: into }] = [await fixtures.customer(), await fixtures.customer()]
    const old = expect.objectContaining({ code: from })
    const attributes = expect.objectContaining({ merge: `${from} → ${into}`, spellings: [from] })
    const entry = { log_name: 'customers', description: 'merged', subject_type: 'customer', subject_id: id }
    return { body: { from, into }, entry: { ...entry, properties: { old, attributes } } }
  },
  'tags.createTag': async () => {
    const attributes = { name: 'contract', type: 'list', options: ['gold'], color: 'blue', description: null }
    const entry = { log_name: 'tags', description: 'created', subject_type: 'tag' }
    return { body: attributes, entry: { ...entry, properties: { attributes } } }
  },
  'tags.editTag': async () => {
    const { id, name } = await fixtures.tag()
    const properties = { old: { type: 'none' }, attributes: { type: 'text' } }
    const entry = { log_name: 'tags', description: 'updated', subject_type: 'tag', subject_id: id }
    return { params: { id }, body: { name, type: 'text' }, entry: { ...entry, properties } }
  },
  'tags.mergeTag': async () => {
    const [{ id, name }, into] = [await fixtures.tag(), await fixtures.tag()]
    const old = expect.objectContaining({ name })
    const attributes = { merge: `${name} → ${into.name}` }
    const entry = { log_name: 'tags', description: 'merged', subject_type: 'tag', subject_id: into.id }
    return { params: { id }, body: { into: into.name }, entry: { ...entry, properties: { old, attributes } } }
  },
  'tags.deleteTag': async () => {
    const { id, name } = await fixtures.tag()
    const old = expect.objectContaining({ name })
    const entry = { log_name: 'tags', description: 'deleted', subject_type: 'tag', subject_id: id }
    return { params: { id }, entry: { ...entry, properties: { old } } }
  },
  'nodes.createNode': async () => {
    const attributes = { name: 'new-node', plesk_fqdn: 'new.plesk.test', ssh_port: 2222 }
    const entry = { log_name: 'nodes', description: 'created', subject_type: 'node' }
    return { body: attributes, entry: { ...entry, properties: { attributes } } }
  },
  'nodes.editNode': async () => {
    const { id, name } = await fixtures.node()
    return {
      params: { id },
      body: { name, plesk_fqdn: 'n.plesk.test', cloud_enabled: true },
      entry: {
        log_name: 'nodes',
        description: 'updated',
        subject_type: 'node',
        subject_id: id,
        properties: { old: { cloud_enabled: false }, attributes: { cloud_enabled: true } },
      },
    }
  },
  'nodes.testNode': async () => {
    const { id } = await fixtures.node()
    const entry = {
      log_name: 'nodes',
      description: 'connection test requested',
      subject_type: 'node',
      subject_id: id,
    }
    return { params: { id }, entry }
  },
  'nodes.runDiscovery': async () => {
    const { id } = await fixtures.node()
    const entry = {
      log_name: 'nodes',
      description: 'discovery requested',
      subject_type: 'node',
      subject_id: id,
    }
    return { params: { id }, entry }
  },
  'nodes.takeOverWebs': async () => {
    const { id, name } = await fixtures.node()
    const fqdn = `found-${name}.test`
    await fixtures.db.insert(discoveredWebs).values({
      node_id: id,
      fqdn,
      fqdn_ascii: fqdn,
      address: '192.0.2.1',
      sysuser: 'found',
      databases: [],
      sites: [],
    })
    const attributes = { fqdn, customer: 'ALPEN', node: name, sysuser: 'found' }
    return {
      params: { id },
      body: { webs: [{ fqdn, customer: 'ALPEN' }] },
      entry: { log_name: 'webs', description: 'created', subject_type: 'web', properties: { attributes } },
    }
  },
  'nodes.deleteNode': async () => {
    const { id, name } = await fixtures.node()
    const entry = { log_name: 'nodes', description: 'deleted', subject_type: 'node', subject_id: id }
    return { params: { id }, entry: { ...entry, properties: { old: { name } } } }
  },
  'users.createRole': async () => {
    const attributes = { name: 'hosting', permissions: ['view webs'] }
    const entry = { log_name: 'roles', description: 'created', subject_type: 'role' }
    return { body: attributes, entry: { ...entry, properties: { attributes } } }
  },
  'users.editRole': async () => {
    const { id, name } = await fixtures.role()
    return {
      params: { id },
      body: { name, permissions: ['view logs'] },
      entry: {
        log_name: 'roles',
        description: 'updated',
        subject_type: 'role',
        subject_id: id,
        properties: { old: { permissions: [] }, attributes: { permissions: ['view logs'] } },
      },
    }
  },
  'users.deleteRole': async () => {
    const { id, name } = await fixtures.role()
    const old = { name, permissions: [] }
    const entry = { log_name: 'roles', description: 'deleted', subject_type: 'role', subject_id: id }
    return { params: { id }, entry: { ...entry, properties: { old } } }
  },
})
