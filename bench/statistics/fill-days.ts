import type { OpenDatabase } from '@kustos/database/client'
import { webs } from '@kustos/database/tables'
import { type Day, ensurePartition, spanOf } from '@kustos/domain/monitoring'

export async function fillWebs({ db }: OpenDatabase, count: number): Promise<void> {
  for (let from = 1; from <= count; from += 1_000)
    await db.insert(webs).values(
      Array.from({ length: Math.min(1_000, count - from + 1) }, (_, place) => ({
        fqdn: `web${from + place}.test`,
        fqdn_ascii: `web${from + place}.test`,
        customer: 'BENCH',
        configured_ip: '192.0.2.1',
      })),
    )
}

/**
 * Adds a day of evaluated rounds, one a minute, in the order in which workers store them: one web in 500 is down, one in 200 for six
 * hours, one probe in 2,500 fails once, and one web in eleven redirects.
 */
export async function fillDay({ db, pool }: OpenDatabase, day: Day, count: number): Promise<void> {
  await ensurePartition(db, day)
  const { from, to } = spanOf(day)
  // In batches that end well before the statement timeout.
  for (let hour = from; hour < to; hour += 3_600_000) {
    await pool.query(
      `insert into probe_rounds (round_at, interval_seconds, shards, judged_at, state, probes, failures)
      select r, 60, 12, r + interval '1 minute', 'known', $2, 0
      from generate_series($1::timestamptz, $1::timestamptz + interval '59 minutes', '1 minute') r`,
      [new Date(hour), count],
    )
    await pool.query(
      `insert into statistics (web_id, round_at, created_at, status, response_ms, outcome, reason, reason_code, reason_params)
      select web, r, r + (web * 7919 % 1150 * 50 + (random() * 6)::int) * interval '1 ms',
        case when is_down then null when fails then 503 when web % 11 = 0 then 301 else 200 end,
        case when not is_down then
          (40 + (web * 31 % 300) * (0.9 + random() * 0.2) * case when random() < 0.06 then 1.3 + random() else 1 end)::int end,
        case when is_down then 'down' when fails then 'blip' else 'up' end,
        case when is_down then 'no connection within 10 s' end, case when is_down then 'no_connection_in_time' end,
        case when is_down then '{"seconds": 10}'::jsonb end
      from generate_series($1::timestamptz, $1::timestamptz + interval '59 minutes', '1 minute') r cross join lateral (
        select web, web % 500 = 1 or web % 200 = 0 and extract(hour from r) between 3 and 8 as is_down,
          random() < 0.0004 as fails
        from generate_series(1, $2::int) web
      ) webs order by r, web * 7919 % 1150`,
      [new Date(hour), count],
    )
  }
  await pool.query('insert into rolled_up_days values ($1, now())', [day])
}
