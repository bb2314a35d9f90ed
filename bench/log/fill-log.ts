import type { OpenDatabase } from '@kustos/database/client'
import { runLong } from '../run-long.ts'
import type { LogFixture } from './pages.ts'

const year = 365 * 24 * 3_600_000
const day = 24 * 3_600_000

/** Words of comments. The n-th is in every n-th comment, more or less. */
const words = [
  'relaunch newsletter booking consent hosting migration certificate redirect template backup',
  'staging analytics container gallery contract invoice support summer winter landing',
  'hotel chalet winery bakery clinic pharmacy brewery orchard ferry cableway',
]
  .join(' ')
  .split(' ')
/** In one comment of a hundred thousand. */
export const rareWord = 'zanzibar'

const indexOfWords = 'log_entries_by_words'

/** Fills the log with two years of entries, the same in every run. The index of the words is built afterwards, as by the upgrade. */
export async function fillLog(database: OpenDatabase, entries: number): Promise<LogFixture> {
  const { pool } = database
  const number = async (sql: string, values: unknown[] = []) => {
    const { rows } = await pool.query<{ number: string }>(sql, values)
    return Number(rows[0]?.number)
  }
  const [busy, idle, favourite, web] = [
    await number('select min(id) as number from users'),
    await number('select max(id) as number from users'),
    await number('select min(id) as number from webs'),
    await number('select max(id) as number from webs'),
  ]
  const until = new Date(Date.now() - day)
  const from = new Date(until.getTime() - 2 * year)
  // The partitions that the worker would have made in time.
  for (let at = from.getTime(); at < until.getTime(); at += 28 * day)
    await pool.query('select make_log_partitions($1)', [new Date(at)])
  const indexes = await pool.query<{ definition: string }>(
    'select pg_get_indexdef($1::regclass) as definition',
    [indexOfWords],
  )
  await pool.query(`drop index ${indexOfWords}`)
  // Creations and deletions carry the whole web, most changes one or two fields. Inserted in batches, each of which
  // ends well before the statement timeout.
  const batch = 50_000
  for (let first = 1; first < entries; first += batch)
    await pool.query(
      `
    with whole as (select json_agg(row_to_json(w)) as webs from (select * from webs order by id limit 1) w),
    entries as (
      select i,
        $1::timestamptz + ($2::timestamptz - $1::timestamptz) * (i::float8 / $3) as created_at,
        case when i in ($3 / 10, $3 / 2, $3 * 9 / 10) then $5::int when i % 10 = 3 then null else $4::int end as causer_id,
        case when i % 1000 = 7 then 'users' when i % 20 < 11 then 'webs' when i % 20 < 15 then 'deployment'
          when i % 20 < 19 then 'auth' else 'tracking' end as log_name
      from generate_series($8::int, $8::int + $9::int - 1) i
    )
    insert into log_entries (created_at, log_name, description, subject_type, subject_id, causer_id, properties)
    select created_at, log_name,
      case log_name when 'auth' then 'signed in' when 'deployment' then 'updateWeb requested' else 'updated' end,
      case when log_name = 'users' then 'user' when log_name = 'auth' then null
        when i < $3 / 4 and log_name = 'deployment' then 'deployment' else 'web' end,
      case when log_name = 'auth' then null when log_name = 'users' then $4 when i % 20 = 4 then $6::int
        else $6::int + (i::bigint * 7919 % ($7::int - $6::int + 1))::int end,
      causer_id,
      case when log_name = 'auth' then '{"attributes":{"email":"admin@kustos.test","address":"192.0.2.17"}}'::json
        when i % 50 = 1 then json_build_object('attributes', whole.webs -> 0)
        when log_name = 'deployment' then json_build_object('attributes', json_build_object('deployment', i))
        else json_build_object(
          'old', json_build_object('customer', 'ALPEN', 'comment', 'Comment number ' || (i - 1)),
          'attributes', json_build_object('customer', '4711' || i % 100, 'comment', 'Comment number ' || i || ' '
            || ($10::text[])[1 + (sqrt(i::bigint * 7919 % 1000))::int % array_length($10::text[], 1)]
            || case when i % 100000 = 8 then ' ${rareWord}' else '' end)) end
    from entries, whole order by i`,
      [from, until, entries, busy, idle, favourite, web, first, batch, words],
    )
  const started = performance.now()
  // Postgres describes it without those of the partitions.
  await runLong(database, indexes.rows[0]?.definition.replace(' ON ONLY ', ' ON ') ?? '')
  console.log(`index of the words built in ${((performance.now() - started) / 1000).toFixed(0)} s`)
  const middle = await number(
    'select id as number from log_entries where created_at >= $1 order by created_at, id limit 1',
    [new Date(until.getTime() - year)],
  )
  const around = (span: number): [string, string] => [
    new Date(until.getTime() - year - span / 2).toISOString(),
    new Date(until.getTime() - year + span / 2).toISOString(),
  ]
  return { busy, idle, favourite, web, middle, day: around(day), month: around(30 * day) }
}
