import { dnsAttentionDays, domainAttentionDays } from '@kustos/contract/attention'
import { dnsRecordSets, externalDomains, ownDomains, watchedDomains, webs } from '@kustos/database/tables'
import { type SQL, sql } from 'drizzle-orm'
import { type EntryScope, selectEntries, time } from './entry-sql.ts'
import { stages } from './web-entries.ts'

/** Without those that the registrar renews by itself, unless it did not. */
export const expiringDomains = (scope: EntryScope): SQL =>
  selectEntries(
    'domain_expiring',
    {
      subject_id: sql`domains.id`,
      since: sql`stage.since`,
      until: sql`domains.ends`,
      subject: sql`domains.fqdn`,
      customer: sql`domains.customer`,
    },
    sql`from (
        select own.id, own.fqdn, own.customer, own.auto_renew, coalesce(own.expires_at, watched.expires_at) as ends
        from ${ownDomains} own left join ${watchedDomains} watched on watched.name = own.fqdn_ascii
      ) domains, ${stages(scope, sql`domains.ends`, domainAttentionDays)}
      and (domains.auto_renew is not true or stage.since = domains.ends)`,
  )

/** Registered elsewhere: those of the list, and those that websites belong to. */
export const expiringExternalDomains = (scope: EntryScope): SQL =>
  selectEntries(
    'external_domain_expiring',
    {
      subject_id: sql`watched.id`,
      since: sql`stage.since`,
      until: sql`watched.expires_at`,
      subject: sql`watched.name`,
      customer: customerOf,
    },
    sql`from ${watchedDomains} watched, ${stages(scope, sql`watched.expires_at`, domainAttentionDays)}
      and watched.name = watched.domain
      and not exists (select from ${ownDomains} own where own.fqdn_ascii = watched.name)`,
  )

/** That of the list, otherwise of a website. */
const customerOf = sql`coalesce(
  (select customer from ${externalDomains} external where external.fqdn_ascii = watched.name),
  (select customer from ${ownDomains} own where own.fqdn_ascii = watched.name),
  (select min(webs.customer) from ${watchedDomains} part join ${webs} on webs.fqdn_ascii = part.name and webs.deleted_at is null
    where part.id = watched.id or (part.domain = watched.name and watched.name = watched.domain)))`

/** Changes that were alerted, until somebody has acknowledged them or two weeks are over. */
export const changedDns = ({ now }: EntryScope): SQL => {
  const none = sql`case when cardinality(records) = 0 then '–' else array_to_string(records, ', ') end`
  const texts = sql`(select ${none} from (select sets.records) text)`
  const before = sql`coalesce((
    select ${none} from ${dnsRecordSets} previous
    where previous.watched_domain_id = sets.watched_domain_id and previous.host = sets.host and previous.type = sets.type
      and previous.first_seen_at < sets.first_seen_at
    order by previous.first_seen_at desc limit 1), '–')`
  return selectEntries(
    'dns_changed',
    {
      subject_id: sql`sets.id`,
      since: sql`sets.first_seen_at`,
      due_at: sql`sets.alerted_at`,
      subject: sql`watched.name`,
      customer: customerOf,
      web_id: sql`(select id from ${webs} where fqdn_ascii = watched.name and deleted_at is null)`,
      reason: sql`sets.type || ' of ' || sets.host || ' changed from ' || ${before} || ' to ' || ${texts}`,
      reason_code: sql`'dns_records_changed'`,
      reason_params: sql`jsonb_build_object('type', sets.type, 'host', sets.host, 'from', ${before}, 'to', ${texts})`,
    },
    sql`from ${dnsRecordSets} sets join ${watchedDomains} watched on watched.id = sets.watched_domain_id
      where sets.alerted_at > ${time(new Date(now.getTime() - dnsAttentionDays * 86_400_000))}`,
  )
}
