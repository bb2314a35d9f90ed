import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDns } from '@kustos/clients/dns'
import { openPlesk } from '@kustos/clients/plesk'
import { openLocalRunners } from '@kustos/clients/runner'
import type { DiscoveredWeb } from '@kustos/contract/nodes'
import { inspections, nodes } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { discoverWebs, readDiscovery } from '@kustos/domain/nodes'
import { readConfiguration } from '@kustos/domain/platform/configuration'
import { createContext } from '@kustos/domain/platform/context'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readInventory } from '../src/inventory.ts'
import { changingWeb, releaseAt, servedFolder } from '../src/nodes/installed-frameworks.ts'
import { writeNodePrograms } from '../src/nodes/recipes-file.ts'
import { type SandboxPlesk, startPlesk } from '../src/plesk/index.ts'
import { fillPanelDatabase } from '../src/plesk/panel-database.ts'
import { seed } from '../src/seed/index.ts'

const database = await testDatabase()
const { db } = database.owner
const folder = await mkdtemp(join(tmpdir(), 'kustos-discovery-'))
const nodesFolder = join(folder, 'nodes')
const context = createContext(database)
let panels: SandboxPlesk

beforeAll(async () => {
  await seed(db, { webs: 60 })
  panels = await startPlesk((await readInventory(database.url)).nodes, nodesFolder)
  vi.stubEnv('PATH', `${await writeNodePrograms(folder)}:${process.env.PATH}`)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await panels.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Scans a node as a worker does. */
async function discover(name: string): Promise<ReadonlyMap<string, DiscoveredWeb>> {
  const read = readConfiguration({ PLESK_API_KEYS: panels.keys, PLESK_CERTIFICATES: panels.certificates })
  if (!read.ok) throw new Error(read.sentence)
  const { PLESK_API_KEYS: keys, PLESK_CERTIFICATES: certificates } = read.configuration
  const plesk = openPlesk({ keys, certificates, connectTo: panels.connectTo })
  const runners = openLocalRunners({ folder: nodesFolder })
  const dns = openDns({ servers: ['127.0.0.1:1'] })
  const [node] = await db.update(nodes).set({ address: '192.0.2.1' }).where(eq(nodes.name, name)).returning()
  const id = node?.id ?? 0
  try {
    const tools = { plesk, runners, dns, secretBox: null, secrets: [] }
    expect(await discoverWebs(context, tools, id, new AbortController().signal)).toEqual({
      state: 'succeeded',
      problems: [],
    })
    const at = { created_at: new Date(), ended_at: new Date() }
    await db.insert(inspections).values({ node_id: id, kind: 'discovery', state: 'succeeded', ...at })
    return new Map((await readDiscovery(context, id)).webs.map((web) => [web.fqdn, web]))
  } finally {
    dns.close()
    await Promise.all([plesk.close(), runners.close()])
  }
}

test.each<[string, Readonly<Record<string, string>>]>([
  [
    'bz-cloud-01',
    {
      'www.alpenhof-latemar.test': 'TYPO3 13.4.20',
      'adventkalender.höfe-südtirol.test': 'Laravel 11.44.2',
      'matomo.kustos.test': 'Symfony 7.2.5',
    },
  ],
  [
    'bz-cloud-02',
    {
      'www.tischlerei-unterholzner.test': 'TYPO3 10.4.37',
      'weingut-kögl.test': 'Shopware 6.7.4.0',
      'bäckerei-plörer.test': 'WordPress 6.8.3',
    },
  ],
  ['ibk-cloud-01', { 'webcam.bergbahnen-ahrntal.test': 'Contao 5.3.36' }],
  ['bz-legacy-07', { 'www.elektro-ladurner.test': 'TYPO3 9.5.49', 'alt.möbel-höller.test': 'Drupal 10.4.5' }],
])('the webs of %s tell their frameworks', async (node, expected) => {
  const found = await discover(node)
  const read = Object.keys(expected).map((fqdn) => {
    const web = found.get(fqdn)
    return [fqdn, `${web?.framework_name} ${web?.framework_version}`]
  })
  expect(Object.fromEntries(read)).toEqual(expected)
})

test('a web that is ahead of the inventory, or changes later, is shown as changed, and a broken file is not', async () => {
  const found = await discover('bz-cloud-02')
  expect(found.get('fußballverein-lana.test')).toMatchObject({
    state: 'changed',
    differences: [{ fact: 'framework', before: 'WordPress 6.8.2', after: 'WordPress 6.8.3' }],
  })
  expect(found.get('caffè-aurora.test')).toMatchObject({
    ...{ state: 'unchanged', framework_name: 'WordPress', framework_version: null },
    ...{ php_version: '8.3', databases: [expect.stringMatching(/_db$/)] },
  })
  const bakery = servedFolder(join(nodesFolder, 'bz-cloud-02'), 'bäckerei-plörer.test', new Date())
  const file = join(bakery, 'wp-includes/version.php')
  await writeFile(file, (await readFile(file, 'utf8')).replace('6.8.3', '6.9.1'))
  expect((await discover('bz-cloud-02')).get('bäckerei-plörer.test')?.differences).toEqual([
    { fact: 'framework', before: 'WordPress 6.8.3', after: 'WordPress 6.9.1' },
  ])
})

test('one web gets another release, PHP version and database with the clock', async () => {
  const subscription = {
    ...{
      id: 1,
      fqdn: changingWeb.fqdn,
      status: 0,
      sysuser: 'weingut',
      disk_usage: 0,
      sites: [],
      aliases: [],
    },
  }
  const domain = { id: 100, name: changingWeb.fqdn, ascii_name: changingWeb.fqdn, base_domain_id: 0 }
  const domains = [{ subscription, domain: { ...domain, hosting_type: 'virtual', aliases: [] } }]
  const node = join(nodesFolder, 'bz-cloud-02')
  const facts = ['2026-11-25T10:00:00Z', '2026-11-25T10:10:00Z'].map((time) => {
    const panel = fillPanelDatabase(domains, node, new Date(time))
    const rows = [
      ...panel.prepare('select php_handler_id as fact from hosting').all(),
      ...panel.prepare('select name as fact from data_bases').all(),
    ]
    panel.close()
    return [releaseAt(new Date(time)), ...rows.map(({ fact }) => fact)]
  })
  expect(facts).toEqual([
    [0, 'plesk-php83-fpm', 'weingut_db'],
    [1, 'plesk-php84-fpm', 'weingut_db', 'weingut_db13'],
  ])
  const before = releaseAt(new Date())
  const web = (await discover('bz-cloud-02')).get(changingWeb.fqdn)
  const releases = [before, releaseAt(new Date())].map((release) => changingWeb.frameworks[release])
  expect(releases).toContain(`${web?.framework_name} ${web?.framework_version}`)
})
