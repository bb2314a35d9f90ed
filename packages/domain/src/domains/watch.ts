import { registrableDomain } from '@kustos/clients/dns'
import type { Transaction } from '@kustos/database/client'
import { dnsRecordSets, externalDomains, ownDomains, watchedDomains, webs } from '@kustos/database/tables'
import { and, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'

const retentionDays = 730
/** A website may be restored, and a registrar's answer may have been incomplete. */
const unlistedRetentionDays = 30
/** How long after a name has left the lists its end of registration still counts if it comes back. */
const expiryRetentionDays = 1

/** The names of both lists and of websites; `is_listed` for domains of the lists. */
const namesOfLists = sql`
  select fqdn_ascii as name, true as is_listed from ${ownDomains}
  union all select fqdn_ascii, true from ${externalDomains}
  union all select fqdn_ascii, false from ${webs} where deleted_at is null`

/**
 * Begins to watch names that were added to the lists, with the domains that they belong to, and ends with those that were removed.
 * Also removes names that have been unlisted for thirty days, and records that were replaced two years ago.
 * @returns null if nothing has changed; `removed` are those that are no longer watched
 */
export async function syncWatchedDomains(
  context: Context,
): Promise<{ readonly added: number; readonly removed: number } | null> {
  const now = context.now()
  return context.db.transaction(async (tx) => {
    await context.assertLease?.(tx)
    const added = await addNames(tx, now)
    const { rowCount: removed } = await tx.execute(sql`
      with listed as materialized (select distinct name from (${namesOfLists}) names)
      update ${watchedDomains} watched
      set unlisted_since = coalesce(unlisted_since, ${now.toISOString()}::timestamptz),
        dns_due_at = null, expiry_due_at = null, mail_due_at = null,
        -- Its warning ends now, so that it is warned of again if it comes back.
        warned_expiry = null, warned_days = null
      -- A check that was running may have made an unlisted name due again.
      where num_nonnulls(dns_due_at, expiry_due_at, mail_due_at) > 0
        and not exists (select from listed where listed.name = watched.name)
        and not exists (
          select from ${watchedDomains} part join listed on listed.name = part.name
          where part.domain = watched.name and part.id <> watched.id)`)
    await tx
      .delete(watchedDomains)
      .where(sql`unlisted_since < ${daysBefore(now, unlistedRetentionDays)}::timestamptz`)
    await tx
      .delete(dnsRecordSets)
      .where(sql`not is_current and last_seen_at < ${daysBefore(now, retentionDays)}::timestamptz`)
    return added + (removed ?? 0) === 0 ? null : { added, removed: removed ?? 0 }
  })
}

const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * 86_400_000).toISOString()

async function addNames(tx: Transaction, now: Date): Promise<number> {
  const { rows } = await tx.execute<{ name: string; is_listed: boolean }>(sql`
    select name, bool_or(is_listed) as is_listed from (${namesOfLists}) names
    where not exists (
      select from ${watchedDomains} watched
      where watched.name = names.name and watched.unlisted_since is null
        and (watched.mail_due_at is not null or not names.is_listed))
    group by name`)
  const added = new Map<string, { domain: string; hasMail: boolean }>()
  for (const { name, is_listed: isListed } of rows) {
    const domain = registrableDomain(name)
    added.set(domain, { domain, hasMail: true })
    if (name !== domain) added.set(name, { domain, hasMail: isListed })
  }
  if (added.size === 0) return 0
  const all = [...added].map(([name, { domain, hasMail }]) => ({ name, domain, hasMail }))
  const at = sql`${now.toISOString()}::timestamptz`
  const { rowCount } = await tx.execute(sql`
    insert into ${watchedDomains} (name, domain, dns_due_at, expiry_due_at, mail_due_at)
    select name, domain, ${at}, case when name = domain then ${at} end, case when "hasMail" then ${at} end
    from json_to_recordset(${JSON.stringify(all)}::json) as names(name text, domain text, "hasMail" boolean)
    on conflict (name) do update set
        unlisted_since = null,
        -- It may have been renewed since.
        expires_at = case when watched_domains.unlisted_since < ${daysBefore(now, expiryRetentionDays)}::timestamptz
          then null else watched_domains.expires_at end,
        dns_due_at = coalesce(watched_domains.dns_due_at, excluded.dns_due_at),
        expiry_due_at = coalesce(watched_domains.expiry_due_at, excluded.expiry_due_at),
        mail_due_at = coalesce(watched_domains.mail_due_at, excluded.mail_due_at)
      where watched_domains.unlisted_since is not null
        or watched_domains.mail_due_at is null and excluded.mail_due_at is not null`)
  return rowCount ?? 0
}

/** Makes the records and the e-mail security of a name and of the domain that it belongs to due at once. */
export async function markDomainDue(db: Transaction, name: string, now: Date): Promise<void> {
  await db
    .update(watchedDomains)
    .set({
      dns_due_at: now,
      mail_due_at: sql`case when ${watchedDomains.mail_due_at} is null then null else ${now.toISOString()}::timestamptz end`,
    })
    .where(
      and(
        inArray(watchedDomains.name, [name, registrableDomain(name)]),
        isNull(watchedDomains.unlisted_since),
      ),
    )
}

/** Which of the lists of names that are watched, for example those that a user may see. */
export interface DomainLists {
  readonly own: boolean
  readonly external: boolean
  readonly webs: boolean
}

/** The domains of a user's lists and websites. */
export const ofVisibleLists = (visible: DomainLists): SQL => {
  const listed = (table: typeof ownDomains | typeof externalDomains) =>
    sql`exists (select from ${table} listed where listed.fqdn_ascii = ${watchedDomains.name})`
  const isOfWeb = sql`exists (
    select from ${watchedDomains} part join ${webs} on webs.fqdn_ascii = part.name and webs.deleted_at is null
    where part.name = ${watchedDomains.name}
      or (part.domain = ${watchedDomains.name} and ${watchedDomains.name} = ${watchedDomains.domain}))`
  const conditions = [
    ...(visible.own ? [listed(ownDomains)] : []),
    ...(visible.external ? [listed(externalDomains)] : []),
    ...(visible.webs ? [isOfWeb] : []),
  ]
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`
}
