import { type ReportingChannel, reportingChannels } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import { customers, externalDomains, ownDomains, watchedDomains, webs } from '@kustos/database/tables'
import { sql } from 'drizzle-orm'
import type { WarnedOf } from '../alert-routes/index.ts'
import type { DomainLists } from './watch.ts'

export interface DomainOwners {
  readonly customers: readonly string[]
  /** Where its alerts go, besides the users who subscribed to them by mail. */
  readonly channels: readonly ReportingChannel[]
  /** The websites of the name, and for a registrable domain also those below it. */
  readonly webs: readonly { readonly id: number; readonly customer: string; readonly isOfName: boolean }[]
}

export const noOwners: DomainOwners = { customers: [], channels: [], webs: [] }

/** What an alert of a domain is about. */
export const warnedOf = ({ customers: codes, webs: own }: DomainOwners): WarnedOf => ({
  webs: own.map(({ id }) => id),
  customers: codes.filter((code) => !own.some(({ customer }) => customer === code)),
})

/**
 * The customers, channels and websites of watched domains, by their id.
 * @param lists the lists that they are taken from, by default all
 */
export async function findOwners(
  db: Transaction,
  ids: readonly number[],
  lists: DomainLists = { own: true, external: true, webs: true },
): Promise<ReadonlyMap<number, DomainOwners>> {
  const channelsOf = (code: string) =>
    sql`coalesce((select array_to_string(c.alert_channels, ',') from ${customers} c where c.code = ${sql.raw(code)}), '')`
  const { rows } = await db.execute<{
    id: number
    customers: string[]
    channels: string
    webs: { id: number; customer: string; isOfName: boolean }[]
  }>(sql`
    with asked as materialized (
      select id, name, domain from ${watchedDomains} where id = any(${sql.param(ids)}::int[])
    ), owners as (
      select asked.id, webs.customer, coalesce(nullif(webs.monitoring_web_reporting_channel, ''), ${channelsOf('webs.customer')}) as channels,
        webs.id as web_id, part.name = asked.name as is_of_name
      from asked
      join ${watchedDomains} part on part.id = asked.id or (asked.name = asked.domain and part.domain = asked.domain)
      join ${webs} on webs.fqdn_ascii = part.name and webs.deleted_at is null and ${lists.webs}
      union all
      select asked.id, own.customer, ${channelsOf('own.customer')}, null, null
      from asked join ${ownDomains} own on own.fqdn_ascii = asked.name and ${lists.own}
      union all
      select asked.id, external.customer, ${channelsOf('external.customer')}, null, null
      from asked join ${externalDomains} external on external.fqdn_ascii = asked.name and ${lists.external}
    )
    select id, array_agg(distinct customer order by customer) as customers, string_agg(distinct channels, ',') as channels,
      coalesce(json_agg(json_build_object('id', web_id, 'customer', customer, 'isOfName', is_of_name) order by web_id) filter (where web_id is not null), '[]') as webs
    from owners group by id`)
  return new Map(
    rows.map(({ id, channels, ...owners }) => {
      const names = channels.split(',')
      return [id, { ...owners, channels: reportingChannels.filter((channel) => names.includes(channel)) }]
    }),
  )
}
