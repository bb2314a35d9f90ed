import { beforeAll, describe, expect, it } from 'vitest'
import { migrate, readMigrations } from '../src/migrations.ts'
import { testDatabase } from '../testing/index.ts'

const database = await testDatabase()
const { pool, owner } = database

const insert = (at: string) =>
  pool.query<{ id: string }>(
    "insert into log_entries (created_at, log_name, description, properties) values ($1, 'webs', 'updated', '{}') returning id",
    [at],
  )
const partitionsOf = async (description = 'updated') => {
  const { rows } = await owner.pool.query<{ partition: string; at: string }>(
    `select tableoid::regclass::text as partition, created_at::text as at from log_entries
    where description = $1 order by created_at`,
    [description],
  )
  return rows.map(({ partition, at }) => [at, partition])
}
const makePartitions = (at: string, as = pool) =>
  as
    .query<{ name: string }>('select make_log_partitions($1) as name', [at])
    .then(({ rows }) => rows.map(({ name }) => name))

describe('the partitions of the audit log', () => {
  it('are those of this month and the next two, with one for all other times', async () => {
    const { rows } = await pool.query<{ name: string }>('select name from log_partitions() order by name')
    const month = (ahead: number) => {
      const now = new Date()
      return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead)).toISOString().slice(0, 7)
    }
    expect(rows.map(({ name }) => name)).toEqual([
      ...[0, 1, 2].map((ahead) => `log_entries_${month(ahead).replace('-', '_')}`),
      'log_entries_default',
    ])
  })

  it('take an entry whatever its time, which moves to the partition of its month once there is one', async () => {
    const times = [
      '1999-12-31 23:59:59.999+00',
      '2031-03-01 00:00:00+00',
      '2031-03-31 23:59:59.999+00',
      '2031-04-01 00:00:00+00',
      '4711-01-01 00:00:00+00',
    ]
    for (const at of times) await insert(at)
    expect(await partitionsOf()).toEqual(times.map((at) => [at, 'log_entries_default']))
    const before = (await pool.query('select * from log_entries order by id')).rows
    // The time zone of the connection does not matter.
    await owner.pool.query("set timezone = 'Pacific/Auckland'")
    expect(await makePartitions('2031-02-01T00:00:00Z', owner.pool)).toEqual([
      'log_entries_1999_12',
      'log_entries_2031_02',
      'log_entries_2031_03',
      'log_entries_2031_04',
    ])
    await owner.pool.query('reset timezone')
    expect(await partitionsOf()).toEqual([
      [times[0], 'log_entries_1999_12'],
      [times[1], 'log_entries_2031_03'],
      [times[2], 'log_entries_2031_03'],
      [times[3], 'log_entries_2031_04'],
      [times[4], 'log_entries_default'],
    ])
    expect((await pool.query('select * from log_entries order by id')).rows).toEqual(before)
    expect(await makePartitions('2031-02-28T23:59:59Z')).toEqual([])
  })

  it('are made once by several processes at the same time, while entries are written', async () => {
    const [made] = await Promise.all([
      Promise.all(Array.from({ length: 4 }, () => makePartitions('2041-01-01T00:00:00Z'))),
      Promise.all(Array.from({ length: 20 }, (_, n) => insert(`2041-02-0${1 + (n % 9)}T00:00:00Z`))),
    ])
    expect(made.flat().toSorted()).toEqual([1, 2, 3].map((month) => `log_entries_2041_0${month}`))
    await makePartitions('2041-01-01T00:00:00Z')
    const { rows } = await pool.query(
      "select count(*)::int from log_entries where created_at > '2041-01-01' and created_at < '2042-01-01'",
    )
    expect(rows).toEqual([{ count: 20 }])
  })

  it.each([
    "update PARTITION set description = 'nothing'",
    'delete from PARTITION where false',
    'truncate PARTITION',
    "insert into PARTITION (created_at, log_name, description, properties) values (now(), 'webs', 'updated', '{}')",
    'select * from PARTITION',
    'alter table log_entries detach partition PARTITION',
    'drop table PARTITION',
    "select create_log_table('another')",
    "select move_log_entries('PARTITION', 'log_entries_default', '1970-01-01', '2100-01-01')",
  ])('reject "%s" from the application', async (statement) => {
    for (const partition of ['log_entries_default', 'log_entries_1999_12'])
      await expect(pool.query(statement.replace('PARTITION', partition))).rejects.toMatchObject({
        code: '42501',
      })
  })

  it.each(['update', 'delete from', 'truncate'])(
    'reject "%s" from the owner too while the trigger exists',
    async (verb) => {
      const rest = verb === 'update' ? 'set description = null' : ''
      for (const partition of ['log_entries_default', 'log_entries_1999_12'])
        await expect(owner.pool.query(`${verb} ${partition} ${rest}`)).rejects.toThrow('only grows')
    },
  )
})

describe('the migration', async () => {
  const {
    url,
    owner: { pool: old },
  } = await testDatabase({ empty: true })
  const rows = 'select * from log_entries order by id'
  let before: unknown[] = []

  beforeAll(async () => {
    const tags = (await readMigrations()).map(({ tag }) => tag)
    await migrate(url, tags[tags.findIndex((tag) => tag.endsWith('audit_log_key')) - 1])
    await old.query(`
      insert into users (email, name, password_hash) values ('anna@kustos.test', 'Anna', 'x');
      insert into log_entries (created_at, log_name, description, subject_type, subject_id, causer_id, properties)
        select now() - n * interval '1 day', 'webs', 'updated', 'web', n, 1, '{"attributes":{"n": 1.0}}' from generate_series(1, 900) n;
      insert into log_entries (created_at, log_name, description, properties)
        values (now() + interval '1 year', 'webs', 'of a wrong clock', '{}'), (now(), 'webs', 'now', '{}');
      select nextval('log_entries_id_seq')`)
    before = (await old.query(rows)).rows
    await migrate(url)
  })

  it('keeps all entries with their ids, and counts on', async () => {
    expect((await old.query(rows)).rows).toMatchObject(before)
    const { rows: inserted } = await old.query(
      "insert into log_entries (created_at, log_name, description, properties) values (now(), 'webs', 'new', '{}') returning id",
    )
    expect(inserted).toEqual([{ id: String(before.length + 2) }])
  })

  it('makes one partition of all entries so far, but for those of months to come', async () => {
    const { rows: counts } = await old.query(
      'select tableoid::regclass::text as name, count(*)::int from log_entries group by 1 order by 2',
    )
    expect(counts).toEqual([
      { name: expect.stringMatching(/^log_entries_\d{4}_\d\d$/), count: 1 },
      { name: 'log_entries_initial', count: 902 },
    ])
  })

  it('does not copy what can stay, and leaves no index behind', async () => {
    const { rows: indexes } = await old.query<{ name: string; parents: number; invalid: number }>(`
      select relname as name, (select count(*)::int from pg_inherits where inhrelid = indexrelid) as parents
      from pg_index join pg_class on pg_class.oid = indexrelid where indrelid = 'log_entries_initial'::regclass`)
    expect(indexes).toHaveLength(8)
    expect(indexes.filter(({ parents }) => parents !== 1)).toEqual([])
  })
})
