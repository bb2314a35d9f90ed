import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { domainToASCII } from 'node:url'
import { RunnerError } from '@kustos/clients/runner'
import { customers, deployments, discoveredWebs, logEntries, webs } from '@kustos/database/tables'
import { and, desc, eq } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readDiscovery, scheduleDiscoveries } from '../src/nodes/index.ts'
import { createContext } from '../src/platform/context.ts'
import { panelRows, startDiscovery } from './discovery-kit.ts'
import { addWeb } from './web-row.ts'

const discovery = await startDiscovery()
const { clock, context, database, discover, folder, installPlesk, jobs, panel, runners, takeOver, tools } =
  discovery
const { db } = database

test('lists what a node has, and changes nothing', async () => {
  expect(await readDiscovery(context, discovery.node)).toEqual({ inspection: null, read_at: null, webs: [] })
  const { inspection, read_at, webs: found } = await discover()
  expect(inspection).toMatchObject({
    state: 'partial',
    problem_codes: [
      {
        code: 'discovery_name_skipped',
        params: { fqdn: 'bad_name..test', reason: { code: 'host_name_invalid_example' } },
      },
    ],
  })
  expect(read_at).toBe(clock.toISOString())
  expect(found).toEqual([
    {
      ...{
        fqdn: 'berg.test',
        state: 'new',
        web_id: null,
        differences: [],
        customer: null,
        sysuser: 'berg_1',
      },
      ...{ framework_name: null, framework_version: null, php_version: null },
      ...{ databases: [], sites: [], aliases: [] },
    },
    {
      ...{ fqdn: 'hotel.test', state: 'new', web_id: null, differences: [], customer: 'ALPENHOF' },
      ...{ framework_name: null, framework_version: null },
      ...{ sysuser: 'hotel_1', php_version: '8.3', databases: ['hotel_db', 'hotel_old'] },
      ...{ sites: ['shop.hotel.test'], aliases: ['hotel.example'] },
    },
  ])
  expect(await db.$count(webs)).toBe(0)
})

test('leaves out look-alikes and names that reverse text, and says why', async () => {
  panel.responses.set('GET /api/v2/domains', [
    {
      id: 1,
      name: 'hotel.test',
      base_domain_id: 0,
      aliases: [{ name: 'hotel\u202e.example' }],
    },
    { id: 2, name: 'shop\u2066.hotel.test', base_domain_id: 1 },
    { id: 3, name: 'p\u0430ypal.test', base_domain_id: 0 },
    { id: 4, name: 'moc\u202e.test', base_domain_id: 0 },
  ])
  await installPlesk({
    login: '1\\t0\\thotel_1\\n',
    php: '',
    pname: '1\\tALPEN\u202eHOF\\n',
    data_bases: '',
  })
  const { inspection, webs: found } = await discover()
  expect(inspection).toMatchObject({
    state: 'partial',
    problem_codes: [
      {
        code: 'discovery_name_skipped',
        params: { fqdn: 'p\u0430ypal.test', reason: { code: 'host_name_mixes_scripts' } },
      },
      {
        code: 'discovery_name_skipped',
        params: { fqdn: 'moc.test', reason: { code: 'host_name_invalid_example' } },
      },
    ],
  })
  expect(found).toMatchObject([
    { fqdn: 'hotel.test', customer: 'ALPENHOF', sites: ['shop.hotel.test'], aliases: ['hotel.example'] },
  ])
})

test('names ten domains that are left out, and counts the others', async () => {
  panel.responses.set(
    'GET /api/v2/domains',
    Array.from({ length: 12 }, (_, id) => ({ id, name: `bad_${id}.test`, base_domain_id: 0 })),
  )
  const { inspection } = await discover()
  expect(inspection?.problem_codes).toHaveLength(11)
  expect(inspection?.problem_codes.at(-1)).toEqual({ code: 'discovery_names_skipped', params: { count: 2 } })
})

test('takes over no name that users could not enter, even if an earlier release has found it', async () => {
  const found = { node_id: discovery.node, address: '192.0.2.9', databases: [], sites: [] }
  await db.insert(discoveredWebs).values([
    { ...found, fqdn: 'p\u0430ypal.test', fqdn_ascii: 'xn--pypal-4ve.test', owner: 'ALPEN' },
    { ...found, fqdn: 'a.test', fqdn_ascii: 'a.test', owner: 'ALPEN\u202e' },
  ])
  await expect(takeOver({ fqdn: 'p\u0430ypal.test' })).rejects.toMatchObject({
    codedMessage: { code: 'discovery_outdated' },
  })
  await expect(takeOver({ fqdn: 'a.test' })).rejects.toMatchObject({
    kind: 'invalid',
    details: { errors: { customer: [{ code: 'character_reverses_text' }] } },
  })
})

test('distinguishes unchanged, changed and missing webs', async () => {
  const facts = {
    sysuser: 'hotel_1',
    status: 0,
    sites: [{ fqdn: 'shop.hotel.test' }],
    aliases: [{ fqdn: 'hotel.example' }],
  }
  await addWeb(database, 'hotel.test', { node_id: discovery.node, ...facts })
  await addWeb(database, 'berg.test', { sysuser: 'berg_1', status: 0 })
  await addWeb(database, 'missing.test', { node_id: discovery.node })
  await addWeb(database, 'shop.hotel.test', { node_id: discovery.node })
  await addWeb(database, 'elsewhere.test')
  await addWeb(database, 'deleted.test', { node_id: discovery.node, deleted_at: clock })
  const { webs: found } = await discover()
  expect(found.map(({ fqdn, state, differences }) => [fqdn, state, differences])).toEqual([
    [
      'berg.test',
      'changed',
      [
        { fact: 'node', before: null, after: 'n1' },
        { fact: 'status', before: 0, after: 16 },
      ],
    ],
    ['missing.test', 'missing', []],
    ['hotel.test', 'unchanged', []],
  ])
})

test('calls no web missing that is an additional domain or an alias with umlauts', async () => {
  panel.responses.set('GET /api/v2/domains', [
    { id: 1, name: 'hotel.test', base_domain_id: 0, aliases: [{ name: 'hütte.test' }] },
    { id: 2, name: 'mühle.test', ascii_name: 'xn--mhle-0ra.test', base_domain_id: 1, aliases: [] },
  ])
  for (const fqdn of ['hütte.test', 'mühle.test', 'höhle.test'])
    await addWeb(database, fqdn, { fqdn_ascii: domainToASCII(fqdn), node_id: discovery.node })
  const { webs: found } = await discover()
  expect(found.map(({ fqdn, state }) => [fqdn, state])).toEqual([
    ['hotel.test', 'new'],
    ['höhle.test', 'missing'],
  ])
})

test('calls no web missing that may be among domains beyond the limit, and says that there are some', async () => {
  const domains = Array.from({ length: 20_001 }, (_, i) => ({
    id: i + 1,
    name: `d${i}.test`,
    base_domain_id: 0,
    aliases: [],
  }))
  panel.responses.set('GET /api/v2/domains', domains)
  await addWeb(database, 'd5.test', { node_id: discovery.node })
  await addWeb(database, 'd20000.test', { node_id: discovery.node })
  const { inspection, webs: found } = await discover()
  expect(inspection).toMatchObject({
    state: 'partial',
    problem_codes: [{ code: 'discovery_webs_limited', params: { count: 20_001, max: 20_000 } }],
  })
  expect(found).toHaveLength(20_000)
  expect(found.filter(({ state }) => state !== 'new')).toMatchObject([
    { fqdn: 'd5.test', state: 'unchanged' },
  ])
})

test('imports the selected webs, requests a refresh of new ones and logs each', async () => {
  const berg = await addWeb(database, 'berg.test', { sysuser: 'other' })
  await discover()
  await expect(takeOver({ fqdn: 'berg.test' }, { fqdn: 'missing.test' })).rejects.toMatchObject({
    codedMessage: { code: 'discovery_outdated', params: { fqdn: 'missing.test' } },
  })
  expect(await takeOver({ fqdn: 'berg.test' }, { fqdn: 'hotel.test' })).toEqual({ created: 1, updated: 1 })
  const stored = await db.select().from(webs).orderBy(webs.fqdn)
  expect(stored).toMatchObject([
    { id: berg, node_id: discovery.node, sysuser: 'berg_1', status: 16 },
    {
      fqdn: 'hotel.test',
      customer: 'ALPENHOF',
      configured_ip: '192.0.2.9',
      node_id: discovery.node,
      sysuser: 'hotel_1',
      status: 0,
      sites: [{ fqdn: 'shop.hotel.test' }],
      aliases: [{ fqdn: 'hotel.example' }],
    },
  ])
  expect(jobs).toMatchObject([{ data: { inspects: 'refresh', fqdn: 'hotel.test' } }])
  const logged = await db
    .select()
    .from(logEntries)
    .where(eq(logEntries.log_name, 'webs'))
    .orderBy(logEntries.id)
  expect(logged.map(({ description, properties }) => [description, properties.attributes?.node])).toEqual([
    ['updated', 'n1'],
    ['created', 'n1'],
  ])
  expect((await readDiscovery(context, discovery.node)).webs.map(({ state }) => state)).toEqual([
    'unchanged',
    'unchanged',
  ])
  expect(await takeOver({ fqdn: 'hotel.test' })).toEqual({ created: 0, updated: 0 })
})

test('takes over the code into which a customer of Plesk was merged, and refuses an old one', async () => {
  await db.delete(customers)
  await db.insert(customers).values({ code: 'ALPENHOF GMBH', spellings: ['ALPENHOF'] })
  onTestFinished(async () => {
    await db.delete(customers)
  })
  const { webs: found } = await discover()
  expect(found).toMatchObject([{ fqdn: 'berg.test' }, { fqdn: 'hotel.test', customer: 'ALPENHOF GMBH' }])
  await expect(takeOver({ fqdn: 'berg.test', customer: 'ALPENHOF\u200b' })).rejects.toMatchObject({
    kind: 'invalid',
    details: { errors: { customer: [{ code: 'character_invisible' }] } },
  })
  await expect(takeOver({ fqdn: 'berg.test', customer: 'ALPENHOF' })).rejects.toMatchObject({
    kind: 'invalid',
    details: { errors: { customer: [{ code: 'customer_merged', params: { code: 'ALPENHOF GMBH' } }] } },
  })
  expect(await takeOver({ fqdn: 'hotel.test' })).toEqual({ created: 1, updated: 0 })
  expect(await db.select().from(webs)).toMatchObject([{ fqdn: 'hotel.test', customer: 'ALPENHOF GMBH' }])
})

/** A transaction of its own, for a merge of customers, which are deleted after the test. */
async function beginMerge() {
  const rival = await database.owner.pool.connect()
  onTestFinished(async () => {
    rival.release()
    await db.delete(customers)
  })
  await rival.query('begin')
  return rival
}

test('refuses the code into which a customer of Plesk was merged if that is merged away at this moment', async () => {
  await db.delete(customers)
  await db.insert(customers).values([{ code: 'ALPENHOF GMBH', spellings: ['ALPENHOF'] }, { code: 'HOTELS' }])
  await discover()
  const rival = await beginMerge()
  await rival.query(`delete from customers where code = 'ALPENHOF GMBH'`)
  const takingOver = takeOver({ fqdn: 'hotel.test' })
  await vi.waitFor(async () => {
    expect(await database.waitingStatements()).toHaveLength(1)
  }, 30_000)
  await rival.query(
    `update customers set spellings = array['ALPENHOF', 'ALPENHOF GMBH'] where code = 'HOTELS'`,
  )
  await rival.query('commit')
  await expect(takingOver).rejects.toMatchObject({
    details: { errors: { customer: [{ code: 'customer_merged', params: { code: 'HOTELS' } }] } },
  })
})

test('does not deadlock with a merge of the customers of several new webs', async () => {
  await db.delete(customers)
  await db.insert(customers).values([{ code: 'HOTELS' }, { code: 'BERG' }])
  await discover()
  const rival = await beginMerge()
  const lock = (code: string) => rival.query('select from customers where code = $1 for update', [code])
  await lock('HOTELS')
  const takingOver = takeOver(
    { fqdn: 'berg.test', customer: 'BERG' },
    { fqdn: 'hotel.test', customer: 'HOTELS' },
  )
  await vi.waitFor(async () => {
    expect(await database.waitingStatements()).toHaveLength(1)
  }, 30_000)
  await lock('BERG')
  await rival.query('commit')
  expect(await takingOver).toEqual({ created: 2, updated: 0 })
})

test('gives no status to a web that is still being provisioned', async () => {
  const { node } = discovery
  const hotel = await addWeb(database, 'hotel.test', { node_id: node, sysuser: 'hotel_1' })
  const at = { created_at: clock, updated_at: clock }
  await db
    .insert(deployments)
    .values({ kind: 'newWeb', state: 'failed', fqdn: 'hotel.test', web_id: hotel, node_id: node, ...at })
  onTestFinished(async () => {
    await database.owner.db.delete(deployments)
  })
  const { webs: found } = await discover()
  expect(found.find(({ web_id }) => web_id === hotel)?.differences.map(({ fact }) => fact)).toEqual([
    'sites',
    'aliases',
  ])
  expect(await takeOver({ fqdn: 'hotel.test' })).toEqual({ created: 0, updated: 1 })
  expect(await db.select().from(webs).where(eq(webs.id, hotel))).toMatchObject([
    { status: null, aliases: [{ fqdn: 'hotel.example' }] },
  ])
  await db.update(deployments).set({ state: 'succeeded' })
  expect(await takeOver({ fqdn: 'hotel.test' })).toEqual({ created: 0, updated: 1 })
  expect(await db.select().from(webs).where(eq(webs.id, hotel))).toMatchObject([{ status: 0 }])
})

test('asks for the customer that Plesk does not know', async () => {
  await discover()
  await expect(takeOver({ fqdn: 'berg.test' })).rejects.toMatchObject({ kind: 'invalid' })
  expect(await takeOver({ fqdn: 'berg.test', customer: 'BERG' })).toEqual({ created: 1, updated: 0 })
})

test('does not take the administrator of Plesk for a customer', async () => {
  await writeFile(
    join(folder, 'plesk'),
    `#!/usr/bin/env node
    const { DatabaseSync } = require('node:sqlite')
    const database = new DatabaseSync(':memory:')
    database.exec(\`
      create table clients (id, type, cname, pname);
      create table domains (id, status, cl_id);
      create table hosting (dom_id, sys_user_id, php_handler_id, www_root);
      create table sys_users (id, login);
      create table data_bases (name, dom_id);
      insert into clients values (1, 'admin', 'Agency', 'Administrator'), (2, 'client', '', 'Berg');
      insert into domains values (1, 0, 1), (3, 0, 2)\`)
    for (const row of database.prepare(process.argv[4]).all()) console.log(Object.values(row).join('\\t'))`,
  )
  const { webs: found } = await discover()
  expect(found).toMatchObject([
    { fqdn: 'berg.test', customer: 'Berg' },
    { fqdn: 'hotel.test', customer: null },
  ])
})

test('leaves a system user to the web that has it', async () => {
  await addWeb(database, 'other.test', { node_id: discovery.node, sysuser: 'hotel_1' })
  await discover()
  await takeOver({ fqdn: 'hotel.test' })
  const [hotel] = await db.select().from(webs).where(eq(webs.fqdn, 'hotel.test'))
  expect(hotel?.sysuser).toBeNull()
})

test('neither logs nor counts a web if only its system user differs, which is another web’s', async () => {
  const { node } = discovery
  const berg = await addWeb(database, 'berg.test', { node_id: node, sysuser: 'berg_0', status: 16 })
  await addWeb(database, 'other.test', { node_id: node, sysuser: 'berg_1' })
  const { webs: found } = await discover()
  expect(found.find(({ web_id }) => web_id === berg)).toMatchObject({
    state: 'changed',
    differences: [{ fact: 'sysuser', before: 'berg_0', after: 'berg_1' }],
  })
  const before = await db.select().from(webs).where(eq(webs.id, berg))
  expect(await takeOver({ fqdn: 'berg.test' })).toEqual({ created: 0, updated: 0 })
  expect(await db.select().from(webs).where(eq(webs.id, berg))).toEqual(before)
  const ofWeb = and(eq(logEntries.subject_type, 'web'), eq(logEntries.subject_id, berg))
  expect(await db.$count(logEntries, ofWeb)).toBe(0)
})

test('gives no web the system user that another one has on its new node', async () => {
  const berg = await addWeb(database, 'berg.test', { sysuser: 'berg_1' })
  await addWeb(database, 'foreign.test', { node_id: discovery.node, sysuser: 'berg_1' })
  await discover()
  expect(await takeOver({ fqdn: 'berg.test' })).toEqual({ created: 0, updated: 1 })
  expect(await db.select().from(webs).where(eq(webs.id, berg))).toMatchObject([
    { node_id: discovery.node, sysuser: null },
  ])
})

test('removes the system user of the old node if the new one does not tell its own', async () => {
  const berg = await addWeb(database, 'berg.test', { sysuser: 'berg_1' })
  await writeFile(join(folder, 'plesk'), '#!/bin/sh\nexit 1\n')
  await discover()
  expect(await takeOver({ fqdn: 'berg.test' })).toEqual({ created: 0, updated: 1 })
  expect(await db.select().from(webs).where(eq(webs.id, berg))).toMatchObject([
    { node_id: discovery.node, sysuser: null },
  ])
  const [logged] = await db.select().from(logEntries).orderBy(desc(logEntries.id)).limit(1)
  expect(logged?.properties).toMatchObject({ old: { sysuser: 'berg_1' }, attributes: { sysuser: null } })
})

test('gives a system user to the first of two new webs, and to a web whose owner gets another one', async () => {
  const { node } = discovery
  const first = await addWeb(database, 'berg.test', { node_id: node, sysuser: 'hotel_1' })
  const second = await addWeb(database, 'hotel.test', { node_id: node, sysuser: 'old' })
  await discover()
  await db.insert(discoveredWebs).values(
    ['x.test', 'y.test'].map((fqdn) => ({
      ...{ node_id: node, fqdn, fqdn_ascii: fqdn, address: '192.0.2.9', owner: 'ALPEN', sysuser: 'twice' },
      ...{ databases: [], sites: [] },
    })),
  )
  await takeOver(...['berg.test', 'hotel.test', 'x.test', 'y.test'].map((fqdn) => ({ fqdn })))
  expect(await db.select().from(webs).orderBy(webs.fqdn)).toMatchObject([
    { id: first, sysuser: 'berg_1' },
    { id: second, sysuser: 'hotel_1' },
    { fqdn: 'x.test', sysuser: 'twice' },
    { fqdn: 'y.test', sysuser: null },
  ])
})

test('lets others change webs while it waits for the customer of a new one', async () => {
  const other = await addWeb(database, 'other.test')
  await discover()
  await db.insert(customers).values({ code: 'ALPENHOF' }).onConflictDoNothing()
  const rival = await database.owner.pool.connect()
  onTestFinished(() => rival.release())
  await rival.query('begin')
  await rival.query(`select from customers where code = 'ALPENHOF' for update`)
  const takingOver = takeOver({ fqdn: 'berg.test', customer: 'BERG' }, { fqdn: 'hotel.test' })
  await vi.waitFor(async () => {
    expect(await database.waitingStatements()).toHaveLength(1)
  }, 30_000)
  await rival.query(`update webs set comment = 'changed' where id = $1`, [other])
  await rival.query('commit')
  expect(await takingOver).toEqual({ created: 2, updated: 0 })
})

test('answers 409 if somebody takes the system user at the same time', async () => {
  await discover()
  const rival = await database.owner.pool.connect()
  onTestFinished(() => rival.release())
  await rival.query('begin')
  await rival.query(
    `insert into webs (fqdn, fqdn_ascii, customer, configured_ip, node_id, sysuser)
     values ('rival.test', 'rival.test', 'ALPEN', '192.0.2.7', $1, 'hotel_1')`,
    [discovery.node],
  )
  const takingOver = takeOver({ fqdn: 'hotel.test' })
  await vi.waitFor(async () => {
    expect(await database.waitingStatements()).toHaveLength(1)
  }, 30_000)
  await rival.query('commit')
  await expect(takingOver).rejects.toMatchObject({
    kind: 'conflict',
    codedMessage: { code: 'system_user_taken_meanwhile' },
  })
})

test('keeps what was found when the panel does not answer, and lists names without the database', async () => {
  await discover()
  await writeFile(join(folder, 'plesk'), '#!/bin/sh\necho "ERROR 1045: Access denied" >&2\nexit 1\n')
  const { inspection, webs: found } = await discover()
  expect(inspection?.problem_codes[0]).toEqual({
    code: 'panel_database_unread',
    params: { node: 'n1', reason: 'ERROR 1045: Access denied' },
  })
  expect(found.map(({ fqdn, sysuser }) => [fqdn, sysuser])).toEqual([
    ['berg.test', null],
    ['hotel.test', null],
  ])
  panel.responses.delete('GET /api/v2/domains')
  const after = await discover()
  expect(after.inspection).toMatchObject({
    state: 'failed',
    problem_codes: [{ code: 'plesk_domains_missing' }],
  })
  expect(after.webs).toHaveLength(2)
})

test('reads the rest of the database if a column of one query is missing', async () => {
  const { php: _, ...rows } = panelRows
  await installPlesk(rows)
  const script = await readFile(join(folder, 'plesk'), 'utf8')
  const failing = '*php*) echo "ERROR 1054: Unknown column" >&2; exit 1 ;;'
  await writeFile(join(folder, 'plesk'), script.replace(' in ', ` in ${failing} `))
  const { inspection, webs: found } = await discover()
  expect(inspection?.problem_codes[0]).toEqual({
    code: 'panel_database_unread',
    params: { node: 'n1', reason: 'ERROR 1054: Unknown column' },
  })
  expect(
    found.map(({ fqdn, php_version, customer, databases }) => [fqdn, php_version, customer, databases]),
  ).toEqual([
    ['berg.test', null, null, []],
    ['hotel.test', null, 'ALPENHOF', ['hotel_db', 'hotel_old']],
  ])
})

test('lists names if nothing is set up to run commands', async () => {
  const { inspection, webs: found } = await discover({
    ...runners,
    node({ name }) {
      throw new RunnerError({ code: 'ssh_not_set_up_for', params: { node: name } })
    },
  })
  expect(inspection?.problem_codes[0]).toEqual({ code: 'ssh_not_set_up_for', params: { node: 'n1' } })
  expect(found).toHaveLength(2)
})

test('is repeated once a night on nodes that were read before', async () => {
  const at = (time: string) => createContext(database, null, () => new Date(time))
  expect(await scheduleDiscoveries(at('2026-11-21T01:00:00Z'), tools)).toBeNull()
  await discover()
  expect(await scheduleDiscoveries(at('2026-11-20T12:00:00Z'), tools)).toBeNull()
  expect(await scheduleDiscoveries(at('2026-11-21T01:00:00Z'), tools)).toEqual({ requested: 1 })
  expect(jobs).toMatchObject([{ data: { inspects: 'discovery', fqdn: 'n1', web_id: null } }])
  expect(await scheduleDiscoveries(at('2026-11-21T01:10:00Z'), tools)).toBeNull()
})
