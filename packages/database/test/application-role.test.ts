import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { openDatabase } from '../src/client.ts'
import { startEmbedded } from '../src/embedded.ts'
import { migrate } from '../src/migrations.ts'
import { logEntries } from '../src/tables/index.ts'
import { testDatabase } from '../testing/index.ts'
import { urlFor } from '../testing/url.ts'

const database = await testDatabase()
const { pool, owner } = database

const entry = { created_at: new Date(), log_name: 'webs', description: 'updated', properties: {} }
const tryStatement = (statement: string, as = pool) =>
  as.query(statement).then(
    () => 'allowed',
    (error: Error & { code?: string }) => error.code,
  )
const insufficientPrivilege = '42501'

describe('the application', () => {
  it('uses its role on every connection without a query', async () => {
    const { rows } = await pool.query('select current_user as role, session_user as login')
    expect(rows).toEqual([{ role: 'kustos_application', login: new URL(database.url).username }])
    expect((await pool.query('show role')).rows).toEqual([{ role: 'kustos_application' }])
    const client = await pool.connect()
    await client.query('reset all')
    await client.query('discard all')
    expect((await client.query('select current_user as role')).rows).toEqual([{ role: 'kustos_application' }])
    client.release()
  })

  it('may read and write every table and use every sequence, but may not change the log', async () => {
    await pool.query("select make_record_partitions('2026-11-20T10:00:00Z')")
    // Also those of later migrations.
    await owner.pool.query('create table later (id serial primary key, name text)')
    const { rows } = await pool.query<{ name: string; lacks: string[] }>(`
      select c.relname as name, array(
        select privilege from unnest(case c.relkind when 'S' then array['USAGE']
          else array['SELECT', 'INSERT', 'UPDATE', 'DELETE'] end) privilege
        where not case c.relkind when 'S' then has_sequence_privilege(c.oid, privilege)
          else has_table_privilege(c.oid, privilege) end) as lacks
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')
      order by c.relname`)
    expect(rows.length).toBeGreaterThan(30)
    const isPartition = ({ name }: { name: string }) =>
      /^(log_entries|tracking_records|tracking_images)_(\d{4}_\d\d|default)$/.test(name)
    expect(rows.filter((row) => row.lacks.length > 0 && !isPartition(row))).toEqual([
      { name: 'log_archives', lacks: ['INSERT', 'UPDATE', 'DELETE'] },
      { name: 'log_entries', lacks: ['UPDATE', 'DELETE'] },
      { name: 'log_entries_id_seq', lacks: ['USAGE'] },
      { name: 'log_seals', lacks: ['UPDATE', 'DELETE'] },
      { name: 'log_settings', lacks: ['INSERT', 'UPDATE', 'DELETE'] },
      { name: 'tracking_images', lacks: ['UPDATE', 'DELETE'] },
      { name: 'tracking_records', lacks: ['UPDATE', 'DELETE'] },
    ])
    // Partitions are reached through their tables only.
    const partitions = rows.filter(isPartition)
    expect(partitions).toHaveLength(6)
    for (const { lacks } of partitions) expect(lacks).toEqual(['SELECT', 'INSERT', 'UPDATE', 'DELETE'])
    await pool.query("insert into later (name) values ('works')")
    await owner.pool.query('drop table later')
  })

  it("owns nothing and can create nothing except a day's statistics partition", async () => {
    const { rows } = await pool.query(
      'select relname from pg_class where pg_get_userbyid(relowner) = current_user',
    )
    expect(rows).toEqual([])
    for (const statement of [
      'create table own ()',
      'create schema own',
      "create function own() returns int language sql as 'select 1'",
      'alter table webs add column own int',
      'truncate webs cascade',
      'drop table webs',
      'create role other',
    ])
      expect([statement, await tryStatement(statement)]).toEqual([statement, insufficientPrivilege])
    const day = "'2031-05-06', '2031-05-05T22:00:00Z', '2031-05-06T22:00:00Z'"
    await pool.query(`select make_statistics_partition(${day})`)
    await pool.query("select create_packed_statistics('2031-05-06')")
    await pool.query('insert into packed_statistics_2031_05_06 select * from packed_statistics')
    await pool.query(`select replace_statistics_partition(${day})`)
    await pool.query("select drop_statistics_partition('2031-05-06')")
  })
})

describe('the audit log', () => {
  it.each([
    "update log_entries set description = 'nothing'",
    'update log_entries set created_at = created_at where false',
    'delete from log_entries',
    'delete from log_entries where false',
    'truncate log_entries',
    'truncate users cascade',
    'drop table log_entries',
    'alter table log_entries disable trigger log_entries_only_grow',
    'alter table log_entries disable trigger all',
    'drop trigger log_entries_only_grow on log_entries',
    'create trigger another before insert on log_entries execute function refuse_log_change()',
    'create rule another as on insert to log_entries do instead nothing',
    'alter table log_entries owner to kustos_application',
    'create or replace function refuse_log_change() returns trigger language plpgsql as $$ begin return null; end $$',
    'set session_replication_role = replica',
    "select setval('log_entries_id_seq', 1)",
    'do $$ begin lock table log_entries in access exclusive mode; end $$',
    'select * from log_entries for update',
    "merge into log_entries l using (select 1) s on true when matched then update set description = 'nothing'",
    'drop function refuse_log_change() cascade',
    'update log_seals set hash = hash where false',
    'delete from log_seals where false',
    'truncate log_seals',
  ])('rejects "%s" from the application', async (statement) => {
    await database.db.insert(logEntries).values(entry)
    const before = await owner.db.select().from(logEntries)
    expect(await tryStatement(statement)).toBe(insufficientPrivilege)
    expect(await owner.db.select().from(logEntries)).toEqual(before)
  })

  it('accepts new entries from the application but no replacements', async () => {
    const [stored] = await database.db.insert(logEntries).values(entry).returning({ id: logEntries.id })
    expect(stored?.id).toBeGreaterThan(0)
    const columns = '(id, created_at, log_name, description, properties)'
    const values = `(${stored?.id}, now(), 'webs', 'another', '{}')`
    expect(await tryStatement(`insert into log_entries ${columns} values ${values}`)).toBe('428C9')
    const withChosenId = `insert into log_entries ${columns} overriding system value values ${values}`
    // As the first entry of a connection, and after another.
    expect(await tryStatement(withChosenId)).toMatch(/^(55000|42501)$/)
    const after = `with one as (
        insert into log_entries (created_at, log_name, description, properties) values (now(), 'webs', 'one', '{}') returning id
      )
      insert into log_entries ${columns} overriding system value select id + 5, now(), 'webs', 'another', '{}' from one`
    expect(await tryStatement(after)).toBe(insufficientPrivilege)
    const upsert = `${withChosenId} on conflict (id, created_at) do update set description = excluded.description`
    expect(await tryStatement(upsert)).toBe(insufficientPrivilege)
  })

  it.each([
    'update log_entries set description = null',
    'delete from log_entries',
    'truncate log_entries',
    'delete from log_seals',
  ])('rejects "%s" from the owner too while the trigger exists', async (statement) => {
    expect(await tryStatement(statement, owner.pool)).toBe(insufficientPrivilege)
  })
})

describe('a login without superuser rights', () => {
  const name = `plain_${randomBytes(6).toString('hex')}`
  const { url: server } = inject('testPostgres')
  const buildUrl = (login: string) => {
    const url = new URL(urlFor(server, name))
    url.username = login
    url.password = 'plain'
    return url.href
  }
  const options = { name: 'kustos-test', max: 1 }
  const superuser = openDatabase(server, { ...options, asLogin: true })
  const [first, second] = [`${name}_owner`, `${name}_application`]

  afterAll(async () => {
    await superuser.pool.query(`drop database if exists ${name} with (force)`)
    for (const login of [second, first]) await superuser.pool.query(`drop role if exists ${login}`)
    await superuser.close()
  })

  it('gets the statements that a superuser has to run first, then migrates', async () => {
    await superuser.pool.query(`create role ${first} login password 'plain'`)
    await superuser.pool.query(`create database ${name} owner ${first}`)
    const grant = `grant kustos_application to "${first}" with inherit false, set true`
    await expect(migrate(buildUrl(first))).rejects.toThrow(
      `The login "${first}" may not make the role that Kustos works as. Let a superuser run beforehand: ` +
        `create role kustos_application nologin; ${grant};`,
    )
    await superuser.pool.query(grant)
    await Promise.all([migrate(buildUrl(first)), migrate(buildUrl(first))])
    const plain = openDatabase(buildUrl(first), options)
    await plain.db.insert(logEntries).values(entry)
    expect(await tryStatement('delete from log_entries', plain.pool)).toBe(insufficientPrivilege)
    await plain.pool.query("select make_statistics_partition('2031-05-06', '2031-05-06', '2031-05-07')")
    await plain.close()
  })

  it('can use only the role of the application if it owns nothing', async () => {
    await superuser.pool.query(`create role ${second} login password 'plain' noinherit`)
    await superuser.pool.query(`grant kustos_application to ${second} with inherit false, set true`)
    await expect(migrate(buildUrl(second))).rejects.toThrow(
      `It takes the login that owns the database and its tables (DATABASE_OWNER_URL), and ${second} is not one: permission denied`,
    )
    const plain = openDatabase(buildUrl(second), options)
    await plain.db.insert(logEntries).values(entry)
    expect(await plain.db.$count(logEntries)).toBe(2)
    await plain.pool.query('set role none')
    expect(await tryStatement('alter table log_entries disable trigger all', plain.pool)).toBe(
      insufficientPrivilege,
    )
    await plain.close()
  })
})

it('creates the role once when several databases of a new cluster are migrated at the same time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kustos-role-'))
  const postgres = await startEmbedded({ folder: join(folder, 'postgres'), durable: false })
  const names = ['one', 'two', 'three', 'four']
  const urls = names.map((name) => urlFor(postgres.url, name))
  try {
    const administration = openDatabase(postgres.url, { name: 'kustos-test', max: 1, asLogin: true })
    for (const name of names) await administration.pool.query(`create database ${name}`)
    await administration.close()
    await Promise.all([...urls, ...urls].map((url) => migrate(url)))
    for (const url of urls) {
      const { db, close } = openDatabase(url, { name: 'kustos-test', max: 1 })
      expect(await db.$count(logEntries)).toBe(0)
      await close()
    }
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}, 60_000)
