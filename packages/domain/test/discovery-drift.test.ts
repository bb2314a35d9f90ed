import { execFileSync } from 'node:child_process'
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { discoveredWebs, inspections, logEntries, webs } from '@kustos/database/tables'
import { and, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { readDiscovery } from '../src/nodes/index.ts'
import { panelRows, startDiscovery } from './discovery-kit.ts'
import { addWeb } from './web-row.ts'

const discovery = await startDiscovery()
const { clock, context, database, discover, folder, installPlesk, panel, takeOver } = discovery
const { db } = database

/** Serves a subscription per site from these files. @returns the folder of the sites */
async function installSites(
  name: string,
  sites: Readonly<Record<string, Readonly<Record<string, string>>>>,
  served: Readonly<Record<string, string>> = {},
) {
  const home = join(folder, name)
  const hosts = Object.keys(sites)
  for (const host of hosts)
    for (const [path, text] of Object.entries({ ...sites[host], 'httpdocs/index.html': '' })) {
      await mkdir(dirname(join(home, host, path)), { recursive: true })
      await writeFile(join(home, host, path), text)
    }
  panel.responses.set(
    'GET /api/v2/domains',
    hosts.map((host, index) => ({ id: index + 1, name: host, base_domain_id: 0, aliases: [] })),
  )
  const roots = hosts.map(
    (host, index) => `${index + 1}\\t${join(home, host, served[host] ?? 'httpdocs')}\\n`,
  )
  await installPlesk({
    login: hosts.map((_, index) => `${index + 1}\\t0\\tuser_${index + 1}\\n`).join(''),
    www_root: roots.join(''),
  })
  return home
}

const installed = (...packages: (readonly [name: string, version: string])[]) =>
  JSON.stringify(
    { packages: packages.map(([name, version]) => ({ name, version, type: 'library' })) },
    null,
    4,
  )

const readFrameworks = async () => {
  const { inspection, webs: found } = await discover()
  const frameworks = found.map((web) => [web.fqdn, web.framework_name, web.framework_version])
  return { problems: inspection?.problem_codes, frameworks: frameworks.sort() }
}

const wordPress = (version: string) => ({
  'httpdocs/wp-includes/version.php': `<?php\n$wp_version = '${version}';\n$wp_db_version = 60421;\n`,
})

describe('the framework of a site', () => {
  test('is read from its files', async () => {
    const composer = 'vendor/composer/installed.json'
    await installSites(
      'frameworks',
      {
        'contao.test': {
          [composer]: installed(['contao/core-bundle', '5.3.36'], ['symfony/framework-bundle', 'v6.4.1']),
        },
        'drupal.test': {
          'httpdocs/core/lib/Drupal.php': "<?php\nclass Drupal {\n  const VERSION = '10.4.5';\n",
        },
        'laravel.test': { [`httpdocs/${composer}`]: installed(['laravel/framework', 'v11.44.2']) },
        'plain.test': { [composer]: installed(['monolog/monolog', '3.8.0']) },
        'shopware.test': {
          [composer]: installed(['symfony/framework-bundle', 'v7.2.5'], ['shopware/core', 'v6.7.4.0']),
        },
        'symfony.test': { [composer]: installed(['symfony/framework-bundle', 'dev-main']) },
        'typo3-10.test': {
          'httpdocs/typo3/sysext/core/Classes/Core/SystemEnvironmentBuilder.php': '<?php\n',
          'httpdocs/typo3/sysext/core/Classes/Information/Typo3Version.php':
            "<?php\n    protected const VERSION = '10.4.37';\n    protected const BRANCH = '10.4';\n",
        },
        'typo3-13.test': { [composer]: installed(['typo3/cms-core', 'v13.4.20']) },
        'typo3-9.test': {
          'httpdocs/typo3/sysext/core/Classes/Core/SystemEnvironmentBuilder.php':
            "<?php\n        define('TYPO3_version', '9.5.49');\n",
        },
        'wordpress.test': wordPress('6.9-beta1'),
      },
      { 'laravel.test': 'httpdocs/public' },
    )
    await mkdir(join(folder, 'frameworks/laravel.test/httpdocs/public'))
    expect(await readFrameworks()).toEqual({
      problems: [],
      frameworks: [
        ['contao.test', 'Contao', '5.3.36'],
        ['drupal.test', 'Drupal', '10.4.5'],
        ['laravel.test', 'Laravel', '11.44.2'],
        ['plain.test', null, null],
        ['shopware.test', 'Shopware', '6.7.4.0'],
        ['symfony.test', 'Symfony', null],
        ['typo3-10.test', 'TYPO3', '10.4.37'],
        ['typo3-13.test', 'TYPO3', '13.4.20'],
        ['typo3-9.test', 'TYPO3', '9.5.49'],
        ['wordpress.test', 'WordPress', '6.9'],
      ],
    })
  })

  test('is unknown if its files are broken, too large, missing or no files', async () => {
    const composer = 'vendor/composer/installed.json'
    const home = await installSites(
      'broken',
      {
        'cut.test': { [composer]: installed(['typo3/cms-core', 'v13.4.20']).slice(0, 40) },
        'cut-wordpress.test': { 'httpdocs/wp-includes/version.php': '<?php\n$wp_ver' },
        'endless.test': { 'vendor/composer/x': '' },
        'huge.test': { [composer]: ' '.repeat(9_000_000) + installed(['typo3/cms-core', 'v13.4.20']) },
        'missing.test': {},
        'pipe.test': { 'vendor/composer/x': '' },
        'shown.test': {
          [composer]: installed(['typo3/cms-core', "12.4'; id\n3 done"], ['typo3/cms-core', '<b>1.2</b>']),
        },
      },
      { 'missing.test': '../nowhere' },
    )
    await symlink('/dev/zero', join(home, 'endless.test', composer))
    execFileSync('mkfifo', [join(home, 'pipe.test', composer)])
    expect(await readFrameworks()).toMatchObject({
      frameworks: [
        ['cut-wordpress.test', 'WordPress', null],
        ['cut.test', null, null],
        ['endless.test', null, null],
        ['huge.test', null, null],
        ['missing.test', null, null],
        ['pipe.test', null, null],
        ['shown.test', 'TYPO3', null],
      ],
    })
  })

  test('of a slow site is unknown, and the others are read', async () => {
    await installSites('slow', {
      'a.test': wordPress('6.8.3'),
      'slow.test': wordPress('6.8.3'),
      'z.test': wordPress('6.8.2'),
    })
    await writeFile(
      join(folder, 'head'),
      '#!/bin/sh\ncase "$PWD" in */slow.test/*) exec sleep 60 ;; esac\nexec /usr/bin/head "$@"\n',
    )
    await chmod(join(folder, 'head'), 0o755)
    expect(await readFrameworks()).toEqual({
      problems: [{ code: 'frameworks_unread', params: { node: 'n1', count: 1 } }],
      frameworks: [
        ['a.test', 'WordPress', '6.8.3'],
        ['slow.test', null, null],
        ['z.test', 'WordPress', '6.8.2'],
      ],
    })
  })
})

const facts = {
  sysuser: 'hotel_1',
  status: 0,
  sites: [{ fqdn: 'shop.hotel.test' }],
  aliases: [{ fqdn: 'hotel.example' }],
}
const addHotel = (columns: Partial<typeof webs.$inferInsert> = {}) =>
  addWeb(database, 'hotel.test', { node_id: discovery.node, ...facts, ...columns })
const hotelIn = ({ webs: found }: Awaited<ReturnType<typeof discover>>) => {
  const hotel = found.find(({ fqdn }) => fqdn === 'hotel.test')
  return { state: hotel?.state, differences: hotel?.differences }
}
const unchanged = { state: 'unchanged', differences: [] }
const changedPanel = {
  ...panelRows,
  php: '1\\tplesk-php84-fpm\\n3\\tfpm\\n',
  data_bases: '1\\thotel_db\\n1\\thotel_new\\n',
}
const drift = {
  state: 'changed',
  differences: [
    { fact: 'php_version', before: '8.3', after: '8.4' },
    { fact: 'databases', before: ['hotel_db', 'hotel_old'], after: ['hotel_db', 'hotel_new'] },
  ],
}

test('shows a web as changed until its PHP version and databases are accepted, which no column keeps', async () => {
  const id = await addHotel()
  expect(hotelIn(await discover())).toEqual(unchanged)
  await installPlesk(changedPanel)
  expect(hotelIn(await discover())).toEqual(drift)
  expect(hotelIn(await discover())).toEqual(drift)

  const [before] = await db.select().from(webs).where(eq(webs.id, id))
  expect(await takeOver({ fqdn: 'hotel.test' })).toEqual({ created: 0, updated: 1 })
  expect(await db.select().from(webs).where(eq(webs.id, id))).toEqual([before])
  const [entry] = await db
    .select()
    .from(logEntries)
    .where(and(eq(logEntries.subject_id, id), eq(logEntries.description, 'updated')))
  expect(entry?.properties).toEqual({
    old: { php_version: '8.3', databases: ['hotel_db', 'hotel_old'] },
    attributes: { php_version: '8.4', databases: ['hotel_db', 'hotel_new'] },
  })
  expect(hotelIn(await readDiscovery(context, discovery.node))).toEqual(unchanged)
  expect(hotelIn(await discover())).toEqual(unchanged)
  expect(await takeOver({ fqdn: 'hotel.test' })).toEqual({ created: 0, updated: 0 })
})

test('leaves the order of sites and aliases as it is', async () => {
  panel.responses.set('GET /api/v2/domains', [
    { id: 1, name: 'hotel.test', base_domain_id: 0, aliases: [{ name: 'a.test' }, { name: 'b.test' }] },
  ])
  const aliases = [{ fqdn: 'b.test' }, { fqdn: 'a.test' }]
  const id = await addHotel({ status: 16, sites: [], aliases })
  expect(hotelIn(await discover()).differences).toEqual([{ fact: 'status', before: 16, after: 0 }])
  await takeOver({ fqdn: 'hotel.test' })
  expect(await db.select().from(webs).where(eq(webs.id, id))).toMatchObject([{ status: 0, aliases }])
})

const suspended = { fact: 'status', before: 0, after: 16 }
test.each([
  { code: 272, status: 16, differences: [] },
  { code: 2, status: 16, differences: [] },
  { code: 64, status: 0, differences: [suspended] },
  // A backup, and together with a pause of the web service.
  { code: 4, status: 0, differences: [] },
  { code: 12, status: 16, differences: [] },
])(
  'compares status $code of Plesk with $status as the panel tells it to refreshes',
  async ({ code, status, differences }) => {
    await addHotel({ status })
    await installPlesk({ ...panelRows, login: `1\\t${code}\\thotel_1\\n` })
    expect(hotelIn(await discover()).differences).toEqual(differences)
  },
)

test('does not take what could not be read for a change, and compares again once it is read', async () => {
  await addHotel({ framework_name: 'TYPO3', framework_version: '12.4.41' })
  await discover()
  await writeFile(join(folder, 'plesk'), '#!/bin/sh\nexit 1\n')
  const unread = await discover()
  expect(hotelIn(unread)).toEqual(unchanged)
  expect(unread.webs.find(({ fqdn }) => fqdn === 'hotel.test')).toMatchObject({
    ...{ php_version: null, databases: null, framework_name: null },
  })
  await installPlesk(changedPanel)
  expect(hotelIn(await discover())).toEqual(drift)
})

test('compares a web with what was read when it was imported, not before', async () => {
  await discover()
  await installPlesk(changedPanel)
  await discover()
  await takeOver({ fqdn: 'hotel.test' })
  expect(hotelIn(await discover())).toEqual(unchanged)
  await installPlesk(panelRows)
  expect(hotelIn(await discover())).toMatchObject({
    differences: [{ fact: 'php_version', before: '8.4', after: '8.3' }, { fact: 'databases' }],
  })
})

test('sees no change in what an earlier release has read', async () => {
  await addHotel()
  await db.insert(inspections).values({
    node_id: discovery.node,
    kind: 'discovery',
    state: 'succeeded',
    created_at: clock,
    ended_at: clock,
  })
  await db.insert(discoveredWebs).values({
    ...{ node_id: discovery.node, fqdn: 'hotel.test', fqdn_ascii: 'hotel.test', php_version: '8.1' },
    ...{ databases: ['hotel_db'], sites: ['shop.hotel.test'], aliases: ['hotel.example'] },
  })
  expect(hotelIn(await readDiscovery(context, discovery.node))).toEqual(unchanged)
  expect(hotelIn(await discover())).toEqual(unchanged)
})

test('shows another framework or version as changed, and imports it', async () => {
  await installSites('drift', {
    'newer.test': wordPress('6.8.3'),
    'same.test': wordPress('6.8.3'),
    'sylius.test': { 'vendor/composer/installed.json': installed(['symfony/framework-bundle', 'v7.2.5']) },
    'unknown.test': wordPress('6.8.3'),
  })
  const add = (fqdn: string, id: number, framework_name: string | null, framework_version: string | null) =>
    addWeb(database, fqdn, {
      node_id: discovery.node,
      sysuser: `user_${id}`,
      status: 0,
      framework_name,
      framework_version,
    })
  const newer = await add('newer.test', 1, 'wordpress', '6.8.2')
  await add('same.test', 2, 'WordPress', 'v6.8.3')
  const sylius = await add('sylius.test', 3, 'Sylius', '2.0.1')
  const unknown = await add('unknown.test', 4, null, null)
  const { webs: found } = await discover()
  expect(found.map(({ fqdn, state, differences }) => [fqdn, state, differences])).toEqual([
    ['newer.test', 'changed', [{ fact: 'framework', before: 'wordpress 6.8.2', after: 'wordpress 6.8.3' }]],
    ['unknown.test', 'changed', [{ fact: 'framework', before: null, after: 'WordPress 6.8.3' }]],
    ['same.test', 'unchanged', []],
    ['sylius.test', 'unchanged', []],
  ])
  expect(await takeOver({ fqdn: 'newer.test' }, { fqdn: 'unknown.test' })).toEqual({ created: 0, updated: 2 })
  const stored = await db.select().from(webs).orderBy(webs.id)
  expect(stored.map((web) => [web.id, web.framework_name, web.framework_version])).toMatchObject([
    [newer, 'wordpress', '6.8.3'],
    [expect.any(Number), 'WordPress', 'v6.8.3'],
    [sylius, 'Sylius', '2.0.1'],
    [unknown, 'WordPress', '6.8.3'],
  ])
  const after = await readDiscovery(context, discovery.node)
  expect(new Set(after.webs.map(({ state }) => state))).toEqual(new Set(['unchanged']))
})
