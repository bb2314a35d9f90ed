import { endingStages } from '@kustos/contract/certificates'
import type { reasonMessages } from '@kustos/contract/messages/reasons'
import { webCertificates, webs } from '@kustos/database/tables'
import { type SQL, sql } from 'drizzle-orm'
import { isOtherCertificate, monitoredWebs } from '../monitoring/index.ts'
import { type EntryScope, selectEntries, stages } from './entry-sql.ts'
import { ofWeb, withNode } from './web-entries.ts'

const [{ days, share }] = endingStages

/** How long before its end a certificate needs attention: `stageMs` of the contract. */
const lead = (from: SQL, end: SQL): SQL =>
  sql`least(${days} * interval '1 day', ${share}::float8 * (${end} - ${from}))`

/** Names other than the web's own have an entry if their certificate is another one; names that share it have one together. */
export const expiringCertificates = (scope: EntryScope): SQL => {
  const endOf = (from: SQL, end: SQL) => stages(scope, end, days, lead(from, end))
  return sql`
    ${selectEntries(
      'certificate_expiring',
      { ...ofWeb, since: sql`stage.since`, until: sql`webs.cert_expiration` },
      sql`from ${webs} ${withNode}, ${endOf(sql`webs.cert_from`, sql`webs.cert_expiration`)}
        and ${monitoredWebs(scope.internalMarker)}`,
    )}
    union all ${selectEntries(
      'certificate_expiring',
      { ...ofWeb, since: sql`stage.since`, until: sql`names.valid_to`, ...reasonOfNames('names_affected') },
      sql`from (
          select web_id, valid_to, min(valid_from) as valid_from, null as reason, null as reason_code, null::jsonb as reason_params,
            ${listOfNames} as list
          from ${webCertificates}
          where kind <> 'main' and state in ('valid', 'expired') and valid_to is not null
          group by web_id, valid_to
        ) names join ${webs} on webs.id = names.web_id ${withNode},
        ${endOf(sql`names.valid_from`, sql`names.valid_to`)}
        and ${isOtherCertificate(sql`names.web_id`, sql`names.valid_to`)} and ${monitoredWebs(scope.internalMarker)}`,
    )}`
}

/** Without those of webs that are down for it, those that have expired, which are entries of their own, and names that are not reached. */
export const wrongCertificates = (scope: EntryScope): SQL =>
  failingNames(
    'certificate_wrong',
    scope,
    { since: sql`wrong_since`, reason: 'reason' },
    sql`wrong_since is not null and state not in ('expired', 'unreachable') and (kind <> 'main' or state = 'replaced')`,
  )

export const failingIpv6 = (scope: EntryScope): SQL =>
  failingNames(
    'ipv6_failing',
    scope,
    { since: sql`ipv6_since`, reason: 'ipv6_reason' },
    sql`ipv6 = 'failing' and state <> 'elsewhere'`,
  )

/** One entry for the names of a web that have failed together, with the reason of the first. */
const failingNames = (
  kind: 'certificate_wrong' | 'ipv6_failing',
  { internalMarker }: EntryScope,
  { since, reason }: { readonly since: SQL; readonly reason: string },
  which: SQL,
): SQL => {
  const first = (column: string) => sql`(array_agg(${sql.raw(column)} order by name))[1]`
  return selectEntries(
    kind,
    { ...ofWeb, since: sql`names.since`, ...reasonOfNames('names_failing') },
    sql`from (
        select web_id, ${since} as since, ${listOfNames} as list, ${first(reason)} as reason,
          ${first(`${reason}_code`)} as reason_code, ${first(`${reason}_params`)} as reason_params
        from ${webCertificates} where ${which}
        group by web_id, ${since}
      ) names join ${webs} on webs.id = names.web_id ${withNode}
      where ${monitoredWebs(internalMarker)}`,
  )
}

const maxNames = 5

const listOfNames = sql`array_to_string((array_agg(name order by name))[1:${sql.raw(String(maxNames))}], ', ')
  || case when count(*) > ${maxNames} then ' …' else '' end`

/** The columns of the message that names them, over the table `names`. */
const reasonOfNames = (code: Extract<keyof typeof reasonMessages, `names_${string}`>) => ({
  reason: sql`names.list || coalesce(': ' || names.reason, '')`,
  reason_code: sql`${code}`,
  reason_params: sql`jsonb_strip_nulls(jsonb_build_object('names', names.list, 'reason',
    case when names.reason_code is not null
      then jsonb_build_object('code', names.reason_code, 'params', names.reason_params) end))`,
})
