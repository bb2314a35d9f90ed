import type { Transaction } from '@kustos/database/client'
import { thirdPartyPolicy } from '@kustos/database/tables'
import { type SQL, sql } from 'drizzle-orm'

/**
 * Keeps the policy and the classifications from being changed until the transaction ends, so that no audit is evaluated by what
 * does not hold any more. Has to come before the lock of a web, since a change of the policy locks both in this order.
 */
export const holdPolicy = (db: Transaction) =>
  db.select({ category: thirdPartyPolicy.category }).from(thirdPartyPolicy).for('share')

/** The same for a change, which also waits for the audits that are being stored. */
export const lockPolicy = (db: Transaction) =>
  db.select().from(thirdPartyPolicy).orderBy(thirdPartyPolicy.category).for('update')

/** What staff have decided about each of the hosts: that of the host itself, otherwise of the nearest domain that it is under. */
export const classifiedHosts = (hosts: SQL): SQL => sql`
  select distinct on (h.host) h.host, c.*
  from (${hosts}) h (host)
  join third_party_classifications c (id, classified_host, category, reason, classified_by, created_at, updated_at)
    on h.host = c.classified_host or right(h.host, length(c.classified_host) + 1) = '.' || c.classified_host
  order by h.host, length(c.classified_host) desc`

/**
 * Evaluates again what is said of webs, by the policy as it is now: what the latest visit requested before consent, and the
 * violations, whose beginning stays while there are some. Stored audits keep the verdicts of their day.
 * @param which the webs, as a condition on `web_id`, that a browser has visited
 */
export async function evaluateWebs(db: Transaction, which: SQL, now: Date): Promise<void> {
  const violating = sql`
    select t.web_id, t.phase, t.host, t.topic, nullif(t.entity, '') as entity
    from web_third_parties t
    left join (${classifiedHosts(sql`select distinct host from web_third_parties where ${which}`)}) c on c.host = t.host
    join third_party_policy p on p.category = coalesce(c.category, t.category)
    where ${which} and t.phase in ('before', 'refused', 'withdrawn') and p.decision = 'consent' and not t.is_denied`
  const visited = sql`
    violating as materialized (${violating}), early as (
      select web_id, json_agg(distinct jsonb_strip_nulls(jsonb_build_object('host', host, 'entity', entity))
        || jsonb_build_object('topic', topic)) as found,
        jsonb_agg(distinct coalesce(entity, host)) as names
      from violating where phase = 'before' group by web_id
    ), visited as (
      select distinct on (web_id) id, web_id from tracking_audits
      where ${which} and visit is not null order by web_id, id desc
    )`
  await db.execute(sql`
    with ${visited}
    update tracking_audits a set before_consent = coalesce(early.found, '[]')
    from visited left join early using (web_id)
    where a.id = visited.id and a.before_consent::text is distinct from coalesce(early.found, '[]')::text`)
  const outdated = sql`
    visited left join early using (web_id)
    where w.id = visited.web_id and w.tracking_data is not null
      and (w.tracking_data -> 'before_consent')::jsonb is distinct from coalesce(early.names, '[]')`
  const found = sql`found as (
      select web_id, array_agg(distinct coalesce(topic, entity, host) order by coalesce(topic, entity, host)) as services
      from violating group by web_id
    )`
  const ended = sql`
    from tracking_violations v where ${which} and not exists (select from found where found.web_id = v.web_id)`
  // Statements on these tables make open screens reload even if they change no row.
  const { rows } = await db.execute<{ webs: boolean; violations: boolean }>(sql`
    with ${visited}, ${found}
    select exists (select from webs w, ${outdated}) as webs,
      exists (select ${ended}) or exists (
        select from found left join tracking_violations v using (web_id) where v.services is distinct from found.services
      ) as violations`)
  const [changed] = rows
  if (changed?.webs)
    await db.execute(sql`
      with ${visited},
      -- In the order in which all others lock them.
      locked as (select w.id from webs w, ${outdated} order by w.id for no key update of w)
      update webs w set tracking_data =
        (w.tracking_data::jsonb || jsonb_build_object('before_consent', coalesce(early.names, '[]')))::json
      from locked join visited on visited.web_id = locked.id left join early using (web_id)
      where w.id = locked.id`)
  if (changed?.violations)
    await db.execute(sql`
      with violating as materialized (${violating}), ${found}, ended as (delete ${ended})
      insert into tracking_violations (web_id, since, services)
      select web_id, ${now.toISOString()}::timestamptz, services from found
      on conflict (web_id) do update set services = excluded.services
        where tracking_violations.services is distinct from excluded.services`)
}

/** All webs that a browser has visited and that have something to evaluate. */
export const evaluatedWebs = sql`web_id in (select web_id from web_third_parties where phase <> 'static')`
