import { dnsAttentionDays, domainAttentionDays } from '@kustos/contract/attention'
import { dnsRecordSets, externalDomains, ownDomains, watchedDomains, webs } from '@kustos/database/tables'
import { type SQL, sql } from 'drizzle-orm'
import { isRenewalOverdue } from '../domains/index.ts'
import { type EntryScope, selectEntries, stages, time } from './entry-sql.ts'

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
        select own.id, own.fqdn, own.customer, own.auto_renew, coalesce(own.expires_at, watched.expires_at) as ends,
          watched.expires_at as registry_ends
        from ${ownDomains} own left join ${watchedDomains} watched on watched.name = own.fqdn_ascii
      ) domains, ${stages(scope, sql`domains.ends`, domainAttentionDays)}
      and (domains.auto_renew is not true or stage.since = domains.ends
        and ${isRenewalOverdue(sql`domains.ends`, sql`domains.registry_ends`, scope.now)})`,
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
      and watched.name = watched.domain and watched.unlisted_since is null
      and not exists (select from ${ownDomains} own where own.fqdn_ascii = watched.name)`,
  )

/** That of the list, otherwise of a website. */
const customerOf = sql`coalesce(
  (select customer from ${externalDomains} external where external.fqdn_ascii = watched.name),
  (select customer from ${ownDomains} own where own.fqdn_ascii = watched.name),
  (select min(webs.customer) from ${watchedDomains} part join ${webs} on webs.fqdn_ascii = part.name and webs.deleted_at is null
    where part.id = watched.id or (part.domain = watched.name and watched.name = watched.domain)))`

/** The first website of a domain, or that of the host. */
const webOf = sql`lateral (
  select webs.id, webs.customer from ${watchedDomains} part
  join ${webs} on webs.fqdn_ascii = part.name and webs.deleted_at is null
  where part.id = watched.id or (part.domain = watched.name and watched.name = watched.domain)
  order by part.id = watched.id desc, webs.id limit 1)`

const textOf = (sets: string) =>
  sql.raw(
    `case when cardinality(${sets}.records) = 0 then '–' else array_to_string(${sets}.records, ', ') end`,
  )

/** Alerted changes of what websites need, until somebody has acknowledged them or two weeks are over. */
export const changedDns = ({ now }: EntryScope): SQL => {
  const since = time(new Date(now.getTime() - dnsAttentionDays * 86_400_000))
  return selectEntries(
    'dns_changed',
    {
      subject_id: sql`sets.id`,
      since: sql`sets.first_seen_at`,
      due_at: sql`sets.alerted_at`,
      subject: sql`watched.name`,
      customer: sql`web.customer`,
      web_id: sql`web.id`,
      reason: sql`sets.type || ' of ' || sets.host || ' changed from ' || before.records || ' to ' || ${textOf('sets')}`,
      reason_code: sql`'dns_records_changed'`,
      reason_params: sql`jsonb_build_object('type', sets.type, 'host', sets.host, 'from', before.records, 'to', ${textOf('sets')})`,
    },
    sql`from ${dnsRecordSets} sets
      join ${watchedDomains} watched on watched.id = sets.watched_domain_id
      join ${webOf} web on true
      join lateral (
        select coalesce((
          select ${textOf('previous')} from ${dnsRecordSets} previous
          where previous.watched_domain_id = sets.watched_domain_id and previous.host = sets.host and previous.type = sets.type
            and previous.first_seen_at < sets.first_seen_at
          order by previous.first_seen_at desc limit 1), '–') as records
      ) before on true
      where sets.alerted_at > ${since}`,
  )
}
