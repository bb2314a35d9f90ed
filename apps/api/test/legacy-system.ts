import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { asciiFqdn, nothingFound } from '@kustos/contract/webs'
import {
  categories,
  emails,
  externalDomains,
  nodes,
  ownDomains,
  rolePermissions,
  roles,
  uptimeDays,
  userRoles,
  users,
  webCategories,
  webs,
} from '@kustos/database/tables'
import type { TestDatabase } from '@kustos/database/testing'
import { importLegacy, type LegacyImport } from '@kustos/domain/imports'
import { dayAfter, dayOf } from '@kustos/domain/monitoring'
import { createContext } from '@kustos/domain/platform/context'
import { eq, sql } from 'drizzle-orm'
import { type ApiClient, createUser, password } from './api-client.ts'

export const admin = 'admin@former.test'

/** Starts a command in its own process. */
export function spawnKustos(args: readonly string[], environment: Record<string, string>) {
  const program = fileURLToPath(new URL('../src/kustos.ts', import.meta.url))
  const child = spawn(process.execPath, [program, ...args], { env: { ...process.env, ...environment } })
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
    ([out, err, [code]]): { out: string; err: string; code: number | null } => ({ out, err, code }),
  )
  return { child, ended }
}

export function importFrom(
  url: string,
  database: TestDatabase,
  options: readonly string[] = [],
  { email = admin, secret = password }: { email?: string; secret?: string } = {},
) {
  const run = spawnKustos(['import', 'legacy', url, '--email', email, ...options], {
    DATABASE_URL: database.url,
  })
  // A process that exits before it has read the password closes the pipe.
  run.child.stdin.on('error', () => undefined)
  run.child.stdin.end(`${secret}\n`)
  return run
}

/** Imports in this process, which is faster. */
export async function importInProcess(url: string, database: TestDatabase, more: Partial<LegacyImport> = {}) {
  const lines: string[] = []
  const { counts } = await importLegacy(
    createContext(database),
    {
      url,
      email: admin,
      password,
      overwrite: false,
      skip: new Set(),
      hasRegistrar: false,
      ...more,
    },
    ({ kind, part, sentence }) => {
      if (kind !== 'progress') lines.push(`${part}: ${sentence}`)
    },
  )
  return { lines, counts: Object.fromEntries(counts) }
}

const at = (time: string) => new Date(time)

/** Webs with unusual values in each field. */
const unusualWebs: readonly Partial<typeof webs.$inferInsert>[] = [
  { fqdn: 'www.plain.test' },
  { fqdn: 'müller-und-söhne.test', customer: 'MÜLLER', comment: 'Zeile 1\nZeile 2 "\'\\; =1+1' },
  { fqdn: 'xn--strae-oqa.test', sysuser: 'strasse_1', status: 16, domain_status: 3, domain_state: null },
  { fqdn: 'bare.test', customer: '123456', framework_name: null, framework_version: null, disk_usage: null },
  {
    fqdn: 'full.test',
    configured_ip: '2001:db8::17',
    sites: [{ fqdn: 'staging.full.test' }, { fqdn: 'archiv.full.test' }],
    aliases: [{ fqdn: 'www.full.test' }, { fqdn: 'fühl.test' }],
    topics: ['tourism', 'Hotel & Spa'],
    auftragnr_hosting: ['AB-1', 'AB-2'],
    monitoring_web_reporting_channel: 'mail,slack',
    cert_ca: "Let's Encrypt",
    cert_expiration: at('2027-03-28T01:30:00.123Z'),
    disk_usage: 9_007_199_254_740_991,
    tracking_data: {
      ...nothingFound,
      usercentrics: {
        id: 'a1',
        version: 2,
        src: 'https://x.test/?a=1&b="',
        services: [{ name: 'Matomo 🙂' }],
      },
      gtm: { domain: 'www.googletagmanager.com', id: 'GTM-1' },
      consentmode: {
        ad_storage: 'denied',
        analytics_storage: null,
        ad_user_data: 'granted',
        ad_personalization: null,
      },
      tracking_services: {
        ...nothingFound.tracking_services,
        matomo: [{ id: '7', domain: 'stats.full.test', timestamp: 1_790_000_000 }],
      },
      cookies: { t3pref: true, t3pentry: false },
      digiaccess: 2,
    },
  },
  { fqdn: 'off.test', monitoring_web_active: false, status: 7, http_status_code: 503 },
]

/** Fills a database like one in use for years. */
export async function fillLegacyDatabase(database: TestDatabase, count = 40): Promise<void> {
  const { db } = database
  await createUser(database, admin, 'admin')
  const nodeRows = await db
    .insert(nodes)
    .values([
      { name: 'bz-cloud-01', plesk_fqdn: 'bz-cloud-01.host.test', cloud_enabled: true },
      { name: 'legacy-01', plesk_fqdn: 'legacy-01.host.test' },
    ])
    .returning()
  // Leaves gaps in the ids.
  await skipIds(database, 'categories', 6)
  const categoryRows = await db
    .insert(categories)
    .values(['Hotel', 'Shop, B2B', 'Ärzte'].map((name) => ({ name })))
    .returning()
  await skipIds(database, 'webs', 16)
  const rows = Array.from({ length: count }, (_, i) => {
    const odd: Partial<typeof webs.$inferInsert> = unusualWebs[i] ?? { fqdn: `web-${i}.test` }
    const fqdn = odd.fqdn ?? ''
    return {
      customer: 'KÖGL',
      configured_ip: '192.0.2.10',
      framework_name: 'TYPO3',
      framework_version: '12.4.31',
      status: 0,
      domain_status: 1,
      domain_state: 1,
      http_status_code: 200,
      disk_usage: 1024 * i,
      created_at: at('2019-02-28T10:00:00.123Z'),
      updated_at: at('2026-10-25T00:30:00Z'),
      ...odd,
      fqdn,
      fqdn_ascii: asciiFqdn(fqdn) ?? fqdn,
      node_id: i % 5 === 4 ? null : (nodeRows[i % 2]?.id ?? null),
    }
  })
  const made = await db.insert(webs).values(rows).returning()
  await db
    .update(webs)
    .set({ deleted_at: at('2026-01-01T00:00:00Z') })
    .where(eq(webs.id, made.at(-1)?.id ?? 0))
  await db
    .insert(webCategories)
    .values(
      made.flatMap(({ id }, i) =>
        categoryRows.slice(0, i % 4).map((category) => ({ web_id: id, category_id: category.id })),
      ),
    )
  await fillUptime(
    database,
    made.slice(0, 12).map(({ id }) => id),
  )
  await fillUsers(database)
  await fillDomains(database)
}

/** Three years for one web and some days for others, including days of 23 and 25 hours. */
async function fillUptime({ db }: TestDatabase, ids: readonly number[]): Promise<void> {
  const today = dayOf(new Date())
  for (const [i, web] of ids.entries()) {
    const length = i === 0 ? 1000 : i * 20
    await db.insert(uptimeDays).values(
      Array.from({ length }, (_, ago) => ({
        web_id: web,
        day: dayAfter(today, -ago - 1),
        downtime: (ago * 37) % 4000,
        known: ago % 11 === 0 ? 60_000 : 82_800,
        checks: 1380,
        failures: (ago * 37) % 60,
        response_ms: ago % 13 === 0 ? null : 120 + ago,
        response_p95_ms: ago % 13 === 0 ? null : 400 + ago,
      })),
    )
  }
}

async function fillUsers(database: TestDatabase): Promise<void> {
  const { db } = database
  await createUser(database, 'Hosting@former.test', ['view webs', 'edit webs', 'delete webs'])
  await createUser(database, 'nobody@former.test', [])
  const deleted = await createUser(database, 'gone@former.test', ['view logs'])
  await db
    .update(users)
    .set({ deleted_at: at('2026-05-05T05:05:05.005Z'), monitoring_mail_subscription: true })
    .where(eq(users.id, deleted))
  const [several] = await db.insert(roles).values({ name: 'Mehrere' }).returning()
  if (!several) throw new Error('There is no role')
  await db.insert(rolePermissions).values({ role_id: several.id, permission: 'view queue' })
  await db.insert(userRoles).values({ user_id: deleted, role_id: several.id })
}

async function fillDomains({ db }: TestDatabase): Promise<void> {
  const domain = (fqdn: string, more: object = {}) => ({
    customer: 'KÖGL',
    fqdn,
    fqdn_ascii: asciiFqdn(fqdn) ?? fqdn,
    created_at: at('2020-02-29T12:00:00Z'),
    status: null,
    mname: null,
    checked_at: null,
    ...more,
  })
  const checked = { mname: 'ns1.dns.test', checked_at: at('2026-11-20T10:11:12.345Z') }
  await db
    .insert(ownDomains)
    .values([
      domain('own.test', { status: 1, ...checked }),
      domain('ünser.test'),
      domain('gone.test', { status: 3 }),
    ])
  await db.insert(externalDomains).values([
    { ...domain('extern.test', { status: 11, ...checked }), domainprovider: 'Aruba, "SpA"' },
    { ...domain('own.test', { customer: 'X' }), domainprovider: 'IONOS' },
  ])
  await db.insert(emails).values([
    { customer: 'KÖGL', address: 'info@own.test', type: 'mailbox' },
    { customer: '123456', address: 'büro@ünser.test', type: 'forward' },
  ])
}

/** Advances the next id of a table. */
const skipIds = ({ owner }: TestDatabase, table: string, count: number) =>
  owner.db.execute(sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${count})`)

/** Reads the data that has to be equal in both systems. */
export async function readComparable(client: ApiClient) {
  const list = await client.json<{ data: { id: number }[] }>('/api/webs')
  const [yesterday, begin] = [dayAfter(dayOf(new Date()), -1), dayAfter(dayOf(new Date()), -366)]
  const uptime = await Promise.all(
    list.data.map(({ id }) =>
      client.json(`/api/monitoring/webs/uptime?web=${id}&begin=${begin}&end=${yesterday}`),
    ),
  )
  const [first] = list.data
  return {
    list,
    uptime,
    early: await client.json(
      `/api/monitoring/webs/uptime?web=${first?.id}&begin=${dayAfter(begin, -700)}&end=${dayAfter(begin, -400)}`,
    ),
    categories: await client.json('/api/categories'),
    users: await client.json('/api/users'),
    roles: await client.json('/api/roles'),
    external: await client.json('/api/externalDomains'),
    own: await client.json('/api/limitis/domains'),
    emails: await client.json('/api/limitis/emails'),
  }
}

/** A digest of the row versions of all tables that an import may write. */
export async function readRowVersions({ owner }: TestDatabase): Promise<string> {
  const tables = [
    'webs',
    'web_categories',
    'nodes',
    'categories',
    'users',
    'user_roles',
    'roles',
    'role_permissions',
    'own_domains',
    'external_domains',
    'emails',
    'uptime_days',
    'log_entries',
    'revisions',
  ]
  const versions = await Promise.all(
    tables.map(async (table) => {
      const { rows } = await owner.db.execute(
        sql`select count(*), max(xmin::text::bigint), min(ctid::text), max(ctid::text) from ${sql.identifier(table)}`,
      )
      return [table, rows[0]]
    }),
  )
  return JSON.stringify(versions)
}
