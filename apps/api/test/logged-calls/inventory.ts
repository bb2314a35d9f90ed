import { discoveredWebs } from '@kustos/database/tables'
import { expect } from 'vitest'
import type { LoggedFixtures } from '../logged-fixtures.ts'
import { keepAudit } from '../report-records.ts'
import type { BuildCalls, LoggedCall } from './call.ts'

const inspection =
  (fixtures: LoggedFixtures, log_name: string, description: string) => async (): Promise<LoggedCall> => {
    const { id } = await fixtures.web()
    const entry = { log_name, description, subject_type: 'web', subject_id: id }
    return { params: { id }, entry }
  }
const domain = { fqdn: 'extern.test', customer: 'BERG', domainprovider: 'Other' }
const web = { fqdn: 'new.test', customer: 'ALPEN', configured_ip: '192.0.2.7' }

export const inventoryCalls: BuildCalls = (fixtures) => ({
  'tracking.updateTracking': inspection(fixtures, 'tracking', 'audit requested'),
  'webs.refreshWeb': inspection(fixtures, 'webs', 'refresh requested'),
  'domains.editDomainAlerts': async () => {
    const { id, name } = await fixtures.watchedDomain()
    return {
      params: { fqdn: name },
      body: { muted_types: ['TXT'] },
      entry: {
        log_name: 'domains',
        description: 'updated',
        subject_type: 'domain',
        subject_id: id,
        properties: { attributes: { fqdn: name, muted_types: ['TXT'] }, old: { muted_types: [] } },
      },
    }
  },
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
  'reports.readReport': async () => {
    const { id, name } = await fixtures.web()
    const inspection = await keepAudit(fixtures.db, { id, fqdn: name })
    const attributes = { report: 'html', inspection, record: expect.stringMatching(/^[0-9a-f]{64}$/) }
    const subject = { subject_type: 'web', subject_id: id }
    return {
      params: { id: inspection },
      entry: { log_name: 'tracking', description: 'exported', ...subject, properties: { attributes } },
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
  'third-parties.classifyThirdParty': async () => {
    const attributes = {
      fqdn: 'widget.example',
      category: 'advertising',
      reason: 'It shows offers of others',
    }
    const entry = { log_name: 'third-parties', description: 'created', subject_type: 'third_party' }
    const { fqdn: host, ...rest } = attributes
    return { body: { host, ...rest }, entry: { ...entry, properties: { attributes } } }
  },
  'third-parties.editTrackingPolicy': async () => {
    const properties = { old: { fonts: 'review' }, attributes: { fonts: 'consent' } }
    const entry = { log_name: 'third-parties', description: 'updated', subject_type: 'tracking_policy' }
    return { body: { decisions: { fonts: 'consent' } }, entry: { ...entry, properties } }
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
  'alert-channels.createAlertChannel': async () => {
    const body = { name: 'On call', kind: 'mail', address: 'oncall@kustos.test' }
    const entry = { log_name: 'alert-channels', description: 'created', subject_type: 'alert_channel' }
    const attributes = { ...body, default_for: null, fallback: false }
    return { body, entry: { ...entry, properties: { attributes } } }
  },
  'alert-channels.editAlertChannel': async () => {
    const { id, name } = await fixtures.alertChannel()
    const entry = { description: 'updated', subject_type: 'alert_channel', subject_id: id }
    return {
      params: { id },
      body: { name: 'Night', kind: 'mail', address: 'oncall@kustos.test' },
      entry: { ...entry, properties: { old: { name }, attributes: { name: 'Night' } } },
    }
  },
  'alert-channels.deleteAlertChannel': async () => {
    const { id, name } = await fixtures.alertChannel()
    const entry = { description: 'deleted', subject_type: 'alert_channel', subject_id: id }
    return { params: { id }, entry: { ...entry, properties: { old: expect.objectContaining({ name }) } } }
  },
  'alert-channels.testAlertChannel': async () => {
    const { id } = await fixtures.alertChannel()
    const entry = { description: 'test message requested', subject_type: 'alert_channel', subject_id: id }
    return { params: { id }, entry }
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
})
