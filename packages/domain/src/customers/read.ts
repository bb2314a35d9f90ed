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

const noDays: Days = { known_30: 0, down_30: 0, known_90: 0, down_90: 0 }

type Row = Omit<CustomerWeb, 'uptime'> & Record<string, unknown>

async function readWebs(context: Context, code: string, seesUptime: boolean) {
  // A web's audits are found by its id. Only visits with a violation are taken apart, which takes most of the time.
  const [{ rows }, daysOf] = await Promise.all([
    context.db.execute<Row>(sql`
      select w.id, w.fqdn, n.name as node, w.framework_name, w.framework_version, w.status, w.domain_status,
        w.monitoring_web_active, ${iso('w.down_since')} as down_since, ${iso('w.cert_expiration')} as cert_expiration,
        early.before_consent
      from webs w
      left join nodes n on n.id = w.node_id
      left join lateral (
        select case when a.visit::text like '%violation%' then (
          select coalesce(json_agg(distinct jsonb_build_object('topic', asked.topic, 'host', asked.host)), '[]')
          from json_to_recordset(a.visit -> 'asked') asked (phase text, verdict text, topic text, host text)
          where asked.phase = 'before' and asked.verdict = 'violation'
        ) else '[]' end as before_consent
        from tracking_audits a where a.web_id = w.id and a.visit is not null order by a.id desc limit 1
      ) early on true
      where w.customer = ${code} and w.deleted_at is null
      order by w.fqdn_ascii`),
    seesUptime ? readDays(context, code) : null,
  ])
  return rows.map((web) => {
    const days = daysOf?.get(web.id) ?? noDays
    return { ...web, uptime: daysOf && uptimeOf([days]), days }
  })
}

async function readDays({ db, now }: Context, code: string): Promise<ReadonlyMap<number, Days>> {
  const today = dayOf(now())
  const isRecent = sql`filter (where day >= ${dayAfter(today, -30)})`
  const { rows } = await db.execute<Days & { web_id: number } & Record<string, unknown>>(sql`
    select web_id,
      coalesce(sum(known) ${isRecent}, 0)::int as known_30,
      coalesce(sum(least(downtime, known)) ${isRecent}, 0)::int as down_30,
      sum(known)::int as known_90, sum(least(downtime, known))::int as down_90
    from uptime_days
    where web_id = any (array(select id from webs where customer = ${code} and deleted_at is null))
      and day >= ${dayAfter(today, -90)} and day < ${today}
    group by web_id`)
  return new Map(rows.map(({ web_id, ...days }) => [web_id, days]))
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
