import type { CustomerDetails, CustomerWeb } from '@kustos/contract/customers'
import { monitoringRoutes } from '@kustos/contract/monitoring'
import { can } from '@kustos/contract/permissions'
import { customers, emails, externalDomains, ownDomains } from '@kustos/database/tables'
import { eq, getTableColumns, sql } from 'drizzle-orm'
import { presentExternalDomain } from '../external-domains/index.ts'
import { dayAfter, dayOf } from '../monitoring/index.ts'
import type { Context } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'
import { serializeDates } from '../platform/serialize-dates.ts'
import { presentCustomer, visibleParts } from './list.ts'

/** A customer with everything that is its own, as far as the user may see it. @throws DomainError not-found */
export async function readCustomer(context: Context, code: string): Promise<CustomerDetails> {
  const { db, actor } = context
  const parts = visibleParts(context)
  const seesUptime = parts.webs && can(actor, monitoringRoutes.listUptime.access)
  const { fqdn_ascii: _, updated_at: __, ...ownColumns } = getTableColumns(ownDomains)
  const { updated_at: ___, ...emailColumns } = getTableColumns(emails)
  const [[row], webs, own, external, mailboxes] = await Promise.all([
    db.select().from(customers).where(eq(customers.code, code)),
    parts.webs ? readWebs(context, code, seesUptime) : null,
    parts.ownDomains
      ? db
          .select(ownColumns)
          .from(ownDomains)
          .where(eq(ownDomains.customer, code))
          .orderBy(ownDomains.fqdn_ascii)
      : null,
    parts.externalDomains
      ? db
          .select()
          .from(externalDomains)
          .where(eq(externalDomains.customer, code))
          .orderBy(externalDomains.fqdn_ascii)
      : null,
    parts.mailboxes
      ? db.select(emailColumns).from(emails).where(eq(emails.customer, code)).orderBy(emails.address)
      : null,
  ])
  if (!row) throw notFound('customer_not_found', { code })
  return {
    ...presentCustomer(row),
    contacts: row.contacts,
    notes: row.notes,
    contract_notes: row.contract_notes,
    spellings: row.spellings,
    webs: webs?.map(({ days: _, ...web }) => web) ?? null,
    own_domains: own?.map(serializeDates) ?? null,
    external_domains: external?.map(presentExternalDomain) ?? null,
    mailboxes: mailboxes?.map(serializeDates) ?? null,
    uptime: webs && seesUptime ? uptimeOf(webs.map(({ days }) => days)) : null,
  }
}

/** Seconds of the days that are rolled up, which yesterday is the last of. */
interface Days {
  readonly known_30: number
  readonly down_30: number
  readonly known_90: number
  readonly down_90: number
}

type Row = Omit<CustomerWeb, 'uptime'> & Days & Record<string, unknown>

async function readWebs({ db, now }: Context, code: string, seesUptime: boolean) {
  const today = dayOf(now())
  // A web's days and audits are found by its id: two index scans for each web.
  const { rows } = await db.execute<Row>(sql`
    select w.id, w.fqdn, n.name as node, w.framework_name, w.framework_version, w.status, w.domain_status,
      w.monitoring_web_active, ${iso('w.down_since')} as down_since, ${iso('w.cert_expiration')} as cert_expiration,
      early.before_consent, days.*
    from webs w
    left join nodes n on n.id = w.node_id
    left join lateral (
      select (
        select coalesce(json_agg(distinct jsonb_build_object('topic', asked.topic, 'host', asked.host)), '[]')
        from json_to_recordset(a.visit -> 'asked') asked (phase text, verdict text, topic text, host text)
        where asked.phase = 'before' and asked.verdict = 'violation'
      ) as before_consent
      from tracking_audits a where a.web_id = w.id and a.visit is not null order by a.id desc limit 1
    ) early on true
    left join lateral (
      select
        coalesce(sum(d.known) filter (where d.day >= ${dayAfter(today, -30)}), 0)::int as known_30,
        coalesce(sum(least(d.downtime, d.known)) filter (where d.day >= ${dayAfter(today, -30)}), 0)::int as down_30,
        coalesce(sum(d.known), 0)::int as known_90,
        coalesce(sum(least(d.downtime, d.known)), 0)::int as down_90
      from uptime_days d
      where ${seesUptime} and d.web_id = w.id and d.day >= ${dayAfter(today, -90)} and d.day < ${today}
    ) days on true
    where w.customer = ${code} and w.deleted_at is null
    order by w.fqdn_ascii`)
  return rows.map(({ known_30, down_30, known_90, down_90, ...web }) => {
    const days = { known_30, down_30, known_90, down_90 }
    return { ...web, uptime: seesUptime ? uptimeOf([days]) : null, days }
  })
}

/** As the contract's timestamps. */
const iso = (column: string) =>
  sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)

function uptimeOf(all: readonly Days[]) {
  const percentOf = (known: keyof Days, down: keyof Days): number | null => {
    const total = all.reduce((sum, days) => sum + days[known], 0)
    const lost = all.reduce((sum, days) => sum + days[down], 0)
    return total === 0 ? null : (100 * (total - lost)) / total
  }
  return { days_30: percentOf('known_30', 'down_30'), days_90: percentOf('known_90', 'down_90') }
}
