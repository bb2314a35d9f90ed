import { domainToUnicode } from 'node:url'
import { type DnsType, type DomainExpiry, type DomainRecords, dnsTypes } from '@kustos/contract/domains'
import { externalDomainsRoutes, normalizeDomain } from '@kustos/contract/external-domains'
import { limitisRoutes } from '@kustos/contract/limitis'
import { can } from '@kustos/contract/permissions'
import { websRoutes } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import {
  dnsRecordSets,
  emails,
  externalDomains,
  ownDomains,
  watchedDomains,
  webs,
} from '@kustos/database/tables'
import { and, asc, desc, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'
import { storedMessage } from '../platform/stored-message.ts'
import { findOwners, noOwners } from './owners.ts'
import { type DomainLists, ofVisibleLists } from './watch.ts'

/** Replaced sets of records that are returned. */
const maxHistory = 500

type Watched = typeof watchedDomains.$inferSelect

/**
 * Finds a watched name that the acting user may see.
 * @param fqdn in any spelling
 * @throws DomainError not-found
 */
export async function findWatchedDomain(
  { db, actor }: { readonly db: Transaction; readonly actor: Context['actor'] },
  fqdn: string,
): Promise<Watched> {
  const [row] = await db
    .select()
    .from(watchedDomains)
    .where(and(eq(watchedDomains.name, normalizeDomain(fqdn)), ofVisibleLists(visibleLists(actor))))
  if (!row) throw notFound('domain_not_found', { fqdn })
  return row
}

const visibleLists = (actor: Context['actor']): DomainLists => ({
  own: can(actor, limitisRoutes.listOwnDomains.access),
  external: can(actor, externalDomainsRoutes.listExternalDomains.access),
  webs: can(actor, websRoutes.listWebs.access),
})

/**
 * The records of a domain with their history, its expiry and its e-mail security, and what the lists that the acting user may see have
 * of it.
 * @param alertTypes those whose changes the configuration alerts
 * @throws DomainError not-found if it is not watched, or in no list that the acting user may see
 */
export async function readDomainRecords(
  context: Context,
  fqdn: string,
  alertTypes: readonly DnsType[],
): Promise<DomainRecords> {
  const { db, actor } = context
  const lists = visibleLists(actor)
  const row = await findWatchedDomain(context, fqdn)
  const [sets, owners, expiry, related, listed, mailboxes] = await Promise.all([
    readSets(context, row),
    findOwners(db, [row.id], lists),
    readExpiry(context, row.domain),
    lists.webs ? readWebs(context, row) : [],
    readListed(context, row, lists),
    can(actor, limitisRoutes.listEmails.access) ? readMailboxes(context, row) : null,
  ])
  const failures = Object.entries(row.dns_state.failures ?? {}).map(([key, reason]) => {
    const [host = '', type = ''] = key.split(' ')
    return {
      host,
      type: type as DnsType,
      ...storedMessage('reason', reason),
      reason: storedMessage('reason', reason).reason ?? '',
    }
  })
  return {
    fqdn: domainToUnicode(row.name),
    ascii: row.name,
    domain: domainToUnicode(row.domain),
    ...listed,
    customers: [...(owners.get(row.id) ?? noOwners).customers],
    webs: related,
    mailboxes,
    read_at: row.dns_read_at?.toISOString() ?? null,
    records: sets,
    failures,
    expiry,
    mail: row.mail,
    muted_types: dnsTypes.filter((type) => row.muted_types.includes(type)),
    unalerted_types: dnsTypes.filter((type) => !alertTypes.includes(type)),
  }
}

async function readSets(
  { db }: Context,
  { id, dns_read_at: readAt }: Watched,
): Promise<DomainRecords['records']> {
  const rows = await db
    .select()
    .from(dnsRecordSets)
    .where(eq(dnsRecordSets.watched_domain_id, id))
    .orderBy(desc(dnsRecordSets.is_current), desc(dnsRecordSets.first_seen_at), asc(dnsRecordSets.host))
    .limit(maxHistory)
  return rows.map((row) => ({
    id: row.id,
    host: row.host,
    type: row.type as DnsType,
    records: row.records,
    first_seen_at: row.first_seen_at.toISOString(),
    last_seen_at: (row.last_seen_at ?? readAt ?? row.first_seen_at).toISOString(),
    is_current: row.is_current,
    alerted_at: row.alerted_at?.toISOString() ?? null,
  }))
}

/** The registrar knows its own domains best, and the registry confirms it. */
async function readExpiry({ db }: Context, domain: string): Promise<DomainExpiry> {
  const [row] = await db
    .select({
      registry: watchedDomains.expires_at,
      checkedAt: watchedDomains.expiry_checked_at,
      registrar: watchedDomains.registrar,
      reason: watchedDomains.expiry_error,
      reason_code: watchedDomains.expiry_error_code,
      reason_params: watchedDomains.expiry_error_params,
      own: ownDomains.expires_at,
      auto_renew: ownDomains.auto_renew,
    })
    .from(watchedDomains)
    .leftJoin(ownDomains, eq(ownDomains.fqdn_ascii, watchedDomains.name))
    .where(eq(watchedDomains.name, domain))
  const registry = row?.registry?.toISOString() ?? null
  const own = row?.own?.toISOString() ?? null
  return {
    expires_at: own ?? registry,
    source: own !== null ? 'registrar' : registry !== null ? 'rdap' : null,
    registry_expires_at: registry,
    auto_renew: row?.auto_renew ?? null,
    registrar: row?.registrar ?? null,
    checked_at: row?.checkedAt?.toISOString() ?? null,
    reason: row?.reason ?? null,
    reason_code: row?.reason_code ?? null,
    reason_params: row?.reason_params ?? null,
  }
}

/** The list that has a name. One that is in both is our own by now: the registrar's list is synced, the other one is kept by hand. */
async function readListed(
  { db }: Context,
  { name }: Watched,
  lists: DomainLists,
): Promise<Pick<DomainRecords, 'list' | 'domainprovider'>> {
  const [own] = await db
    .select({ id: ownDomains.id })
    .from(ownDomains)
    .where(and(eq(ownDomains.fqdn_ascii, name), sql`${lists.own}`))
  if (own) return { list: 'own', domainprovider: null }
  const [external] = await db
    .select({ domainprovider: externalDomains.domainprovider })
    .from(externalDomains)
    .where(and(eq(externalDomains.fqdn_ascii, name), sql`${lists.external}`))
  return external ? { list: 'external', ...external } : { list: null, domainprovider: null }
}

/** The registrar writes umlauts in either form. */
async function readMailboxes({ db }: Context, { name }: Watched): Promise<string[]> {
  const rows = await db
    .select({ address: emails.address })
    .from(emails)
    .where(inArray(sql`split_part(${emails.address}, '@', 2)`, [name, domainToUnicode(name)]))
    .orderBy(emails.address)
  return rows.map(({ address }) => address)
}

const readWebs = ({ db }: Context, { name, domain }: Watched) =>
  db
    .select({ id: webs.id, fqdn: webs.fqdn })
    .from(webs)
    .where(
      and(
        isNull(webs.deleted_at),
        or(
          eq(webs.fqdn_ascii, name),
          name === domain
            ? inArray(
                webs.fqdn_ascii,
                db
                  .select({ name: watchedDomains.name })
                  .from(watchedDomains)
                  .where(eq(watchedDomains.domain, domain)),
              )
            : sql`false`,
        ),
      ),
    )
    .orderBy(webs.fqdn_ascii)
