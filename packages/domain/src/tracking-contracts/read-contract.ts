import { can } from '@kustos/contract/permissions'
import {
  type ContractDraft,
  type CustomerContract,
  trackingContractsRoutes,
  type WebContract,
} from '@kustos/contract/tracking-contracts'
import { trackingContracts, trackingDifferences, trackingJudgements, webs } from '@kustos/database/tables'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { chunk } from '../platform/chunk.ts'
import type { Context } from '../platform/context.ts'
import { isAnyOf } from '../platform/is-any-of.ts'
import { judgedAuditOf, presentAudit, stateOf } from './contract-state.ts'
import { draftContract, isEqual, type ObservedWeb } from './draft.ts'
import { fieldsOf, mergeSettings, readLatestObservations, toSettings } from './load.ts'
import { customerScope, findContract, findCustomer, findWeb } from './scope.ts'

/** The contract of a customer, and whether its webs keep it. @throws DomainError not-found */
export async function readCustomerContract(context: Context, code: string): Promise<CustomerContract> {
  const customer = await findCustomer(context.db, code, false)
  const row = await findContract(context.db, { type: 'customer', id: customer.id }, false)
  const seesWebs = can(context.actor, trackingContractsRoutes.readWebContract.access)
  return {
    own: toShown(toSettings(row?.settings ?? {})),
    updated_at: row?.updated_at.toISOString() ?? null,
    webs: seesWebs ? await readStates(context, code) : null,
  }
}

async function readStates({ db, now }: Context, code: string): Promise<CustomerContract['webs']> {
  const open = (which: string) =>
    sql<number>`(select count(*)::int from ${trackingDifferences} d
      where d.web_id = ${webs.id} and d.ended_at is null and d.confirmed_at ${sql.raw(which)})`
  const rows = await db
    .select({
      id: webs.id,
      fqdn: webs.fqdn,
      judged_at: trackingJudgements.judged_at,
      latest: judgedAuditOf(sql`${webs.id}`),
      settings: trackingContracts.settings,
      confirmed: open('is not null'),
      pending: open('is null'),
    })
    .from(webs)
    .leftJoin(trackingJudgements, eq(trackingJudgements.web_id, webs.id))
    .leftJoin(trackingContracts, eq(trackingContracts.web_id, webs.id))
    .where(and(eq(webs.customer, code), isNull(webs.deleted_at)))
    .orderBy(webs.fqdn)
  return rows.map(({ id, fqdn, judged_at, latest, settings, confirmed, pending }) => {
    const audit = judged_at && latest
    return {
      id,
      fqdn,
      state: stateOf({ audit, confirmed, pending }, now()),
      ...presentAudit(audit),
      differences: confirmed + pending,
      overrides: [...fieldsOf(settings ?? {})],
    }
  })
}

/** @throws DomainError not-found, also for deleted webs unless the user may restore them */
export async function readWebContract(context: Context, id: number): Promise<WebContract> {
  const { db } = context
  const web = await findWeb(context, id, false)
  const customer = customerScope(web)
  const row = await findContract(db, { type: 'web', id }, false)
  const inherited = customer && (await findContract(db, customer, false))
  return {
    own: toShown(toSettings(row?.settings ?? {})),
    effective: toShown(mergeSettings(row?.settings ?? {}, inherited?.settings ?? {})),
    customer: web.customer,
    updated_at: row?.updated_at.toISOString() ?? null,
  }
}

/** Few enough that what their audits have found is no burden for the memory. */
const websAtOnce = 50

/** A contract that the latest complete audits of a customer's webs keep, or the latest partial ones. @throws DomainError not-found */
export async function draftCustomerContract({ db }: Context, code: string): Promise<ContractDraft> {
  await findCustomer(db, code, false)
  const all = await db
    .select({
      id: webs.id,
      fqdn: webs.fqdn,
      own: trackingContracts.settings,
      updated_at: trackingContracts.updated_at,
    })
    .from(webs)
    .leftJoin(trackingContracts, eq(trackingContracts.web_id, webs.id))
    .where(and(eq(webs.customer, code), isNull(webs.deleted_at)))
    .orderBy(webs.id)
  const observed: ObservedWeb[] = []
  for (const batch of chunk(all, websAtOnce)) {
    const which = isAnyOf(
      webs.id,
      batch.map(({ id }) => id),
    )
    const complete = await readLatestObservations(db, which, { complete: true })
    const known = new Set(complete.map(({ web }) => web))
    const others = (await readLatestObservations(db, which)).filter(({ web }) => !known.has(web))
    observed.push(
      ...[...complete, ...others].map(({ web, fqdn, observation }) => ({ web_id: web, fqdn, observation })),
    )
  }
  const { settings, overrides, left_out, to_review } = draftContract(observed)
  const draftedFor = new Map(overrides.map((one) => [one.web_id, one.settings]))
  const replaced = all.flatMap(({ id, fqdn, own }) => {
    const fields = fieldsOf(own ?? {}).filter(
      (field) => !isEqual(own?.[field], draftedFor.get(id)?.[field] ?? undefined),
    )
    return fields.length === 0 ? [] : { web_id: id, fqdn, fields }
  })
  const changes = all.flatMap(({ updated_at }) => updated_at?.getTime() ?? [])
  return {
    settings: toShown(settings),
    overrides: overrides.map((one) => ({ ...one, settings: toShown(one.settings) })),
    replaced,
    overrides_updated_at: changes.length === 0 ? null : new Date(Math.max(...changes)).toISOString(),
    left_out: [...left_out],
    to_review: [...to_review],
    audited: observed.length,
    unaudited: all.length - observed.length,
  }
}

/** The schema of responses has lists that can be changed. */
const toShown = (settings: ReturnType<typeof toSettings>) => settings as WebContract['own']
