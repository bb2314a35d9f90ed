import type { ThirdParty, ThirdPartyList } from '@kustos/contract/third-parties'
import { asciiFqdn } from '@kustos/contract/webs'
import { type SQL, sql } from 'drizzle-orm'
import { listedWebs, type MonitoringSettings } from '../monitoring/index.ts'
import type { Context } from '../platform/context.ts'
import { classifiedHosts } from './evaluate.ts'
import { readDecisions } from './policy.ts'

interface Filter {
  /** With its subdomains. */
  readonly host?: string | undefined
  readonly service?: string | undefined
}

/**
 * What the webs of the tracking list load, as far as that list has it: those that need consent first, then by the number of
 * webs.
 */
export async function listThirdParties(
  context: Context,
  filter: Filter,
  { internalMarker }: Pick<MonitoringSettings, 'internalMarker'>,
): Promise<ThirdPartyList> {
  const { rows } = await context.db.execute<ThirdParty & Record<string, unknown>>(sql`
    with listed as materialized (
      select id, fqdn_ascii, (tracking_data -> 'third_parties')::jsonb as names
      from webs where ${listedWebs(internalMarker)}
    ), loaded as materialized (
      select t.* from web_third_parties t join listed webs on webs.id = t.web_id
      where webs.names ? t.host and ${condition(filter)}
        and not ${isOwnName}
    )
    select t.host, nullif(t.entity, '') as entity, coalesce(c.category, t.category) as category, p.decision,
      case when c.id is not null then json_build_object('host', c.classified_host, 'category', c.category,
        'reason', c.reason, 'by', max(users.email), 'at', ${iso(sql`c.updated_at`)}) end as classification,
      max(t.alias) as alias,
      count(distinct t.web_id)::int as webs,
      count(distinct t.web_id) filter (where t.phase = 'before')::int as webs_before_consent,
      count(distinct t.web_id) filter (where p.decision = 'consent' and not t.is_denied
        and t.phase in ('before', 'refused', 'withdrawn'))::int as webs_violating,
      ${iso(sql`min(t.first_seen)`)} as first_seen, ${iso(sql`max(t.last_seen)`)} as last_seen
    from loaded t
    left join (${classifiedHosts(sql`select distinct host from loaded`)}) c on c.host = t.host
    left join users on users.id = c.classified_by
    join third_party_policy p on p.category = coalesce(c.category, t.category)
    group by t.host, t.entity, coalesce(c.category, t.category), p.decision,
      c.id, c.classified_host, c.category, c.reason, c.updated_at
    order by array_position(array['consent', 'review', 'none'], p.decision), webs desc, t.host, t.entity`)
  return { data: rows, policy: await readDecisions(context) }
}

/** What a web has under its own name, such as a tracker's cookie, is no third party. */
const isOwnName = sql`(t.alias is null and (t.host in (webs.fqdn_ascii, 'www.' || webs.fqdn_ascii)
  or right(webs.fqdn_ascii, length(t.host) + 1) = '.' || t.host))`

function condition({ host: given, service }: Filter): SQL {
  // Hosts are stored in ASCII.
  const host = given && (asciiFqdn(given) ?? given.toLowerCase())
  const ofHost =
    host === undefined
      ? sql`true`
      : sql`(t.host = ${host} or right(t.host, ${host.length + 1}) = ${`.${host}`})`
  const ofService = service === undefined ? sql`true` : sql`lower(t.entity) = lower(${service})`
  return sql`${ofHost} and ${ofService}`
}

/** As the contract's timestamps. */
const iso = (value: SQL) => sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
