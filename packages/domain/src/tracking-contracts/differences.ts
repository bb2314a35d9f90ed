import { message } from '@kustos/contract/messages'
import type { DifferenceAgreement, NewContractException } from '@kustos/contract/tracking-contracts'
import { addedFields, contractFields } from '@kustos/contract/tracking-contracts/states'
import {
  type StoredContract,
  trackingContracts,
  trackingDifferences,
  trackingExceptions,
  webs,
} from '@kustos/database/tables'
import { and, eq, exists, inArray, isNull, or, type SQL } from 'drizzle-orm'
import { type AuditTransaction, entriesOf, type LogEntry, withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { conflict, invalid, notFound } from '../platform/errors.ts'
import { storedMessage } from '../platform/stored-message.ts'
import { agreeTo } from './agree.ts'
import { replaceContract } from './change-contract.ts'
import { describeDifference } from './describe.ts'
import type { DifferenceRow } from './follow-drift.ts'
import { mergeSettings, toSettings } from './load.ts'
import { lockWebs, reconsiderWebs } from './reconsider.ts'
import { type ContractScope, columnsOf, customerScope, findContract, findWeb } from './scope.ts'

/**
 * Adds what a difference shows to the contract of its web or of the customer, which ends it. With the customer's, it is added to
 * what webs that differ alike have instead of that.
 * @throws DomainError not-found; conflict if it is over
 */
export const agreeToDifference = (
  context: Context,
  web: number,
  { difference: id, scope: of }: DifferenceAgreement,
): Promise<void> =>
  withAudit(context, async (tx) => {
    const { row, scope, customer } = await findDifference(tx, web, id, of)
    const inherited = (customer && (await findContract(tx.db, customer, true)))?.settings ?? {}
    const affected = await affectedWebs(tx, web, row, of)
    const entries =
      scope.type === 'web'
        ? [await agreeForWeb(tx, row, inherited, () => true)]
        : [
            await replaceContract(tx, scope, { ...inherited, ...agreeTo(row, toSettings(inherited)) }),
            ...(await agreeWithOverrides(tx, row, inherited, affected)),
          ]
    const made = entries.filter((entry) => entry !== null)
    if (made.length === 0) tx.skipAudit()
    else await tx.recordAll(made)
    // Of the customer's other webs, some may lack now what was agreed on, or have what no longer is.
    await reconsiderWebs(tx, scope.type === 'web' ? affected : sameCustomer(tx, web))
  })

/** @param isAgreed of a field that the web has for itself, or has not */
async function agreeForWeb(
  tx: AuditTransaction,
  row: DifferenceRow,
  inherited: StoredContract,
  isAgreed: (isOwn: boolean) => boolean,
): Promise<LogEntry | null> {
  const scope = { type: 'web', id: row.web_id } as const
  const own = (await findContract(tx.db, scope, true))?.settings ?? {}
  // What is added to the customer's lists is the web's own part of them.
  const parts = Object.fromEntries(addedFields.map((field) => [field, own[field] ?? null]))
  const agreed = agreeTo(row, { ...mergeSettings(own, inherited), ...parts })
  const chosen = contractFields.filter((field) => field in agreed && isAgreed(own[field] !== undefined))
  if (chosen.length === 0) return null
  return replaceContract(tx, scope, {
    ...own,
    ...Object.fromEntries(chosen.map((field) => [field, agreed[field]])),
  })
}

/** Otherwise a web that has the field for itself would not follow what is agreed with its customer. */
async function agreeWithOverrides(
  tx: AuditTransaction,
  { key }: DifferenceRow,
  inherited: StoredContract,
  affected: SQL | undefined,
): Promise<(LogEntry | null)[]> {
  const rows = await tx.db
    .select({ row: trackingDifferences })
    .from(trackingDifferences)
    .innerJoin(webs, and(eq(webs.id, trackingDifferences.web_id), affected))
    .innerJoin(trackingContracts, eq(trackingContracts.web_id, webs.id))
    .where(and(eq(trackingDifferences.key, key), isNull(trackingDifferences.ended_at)))
    .orderBy(trackingContracts.id)
  const entries: (LogEntry | null)[] = []
  for (const { row } of rows) entries.push(await agreeForWeb(tx, row, inherited, (isOwn) => isOwn))
  return entries
}

/**
 * Allows a difference until a time, which ends it.
 * @returns the id of the exception
 * @throws DomainError as `agreeToDifference`; invalid for a time that is not ahead
 */
export const allowDifference = (
  context: Context,
  web: number,
  { difference: id, scope: of, until, reason }: NewContractException,
): Promise<{ readonly id: number }> =>
  withAudit(context, async (tx) => {
    if (Date.parse(until) <= tx.now().getTime()) throw invalid({ until: message('time_not_ahead') })
    const { row, scope } = await findDifference(tx, web, id, of)
    const [exception] = await tx.db
      .insert(trackingExceptions)
      .values({
        ...columnsOf(scope),
        key: row.key,
        ...storedMessage('difference', describeDifference(row)),
        until: new Date(until),
        reason,
        created_by: tx.actor?.id ?? null,
        created_at: tx.now(),
      })
      .returning({ id: trackingExceptions.id })
    if (!exception) throw new Error('The exception was not stored')
    await tx.record({
      ...entriesOf('tracking', scope.type)('difference allowed', scope.id),
      attributes: { difference: row.reason, until, reason },
    })
    await reconsiderWebs(tx, await affectedWebs(tx, web, row, of))
    return exception
  })

/** Ends an exception of a web or its customer before its time. @throws DomainError not-found */
export const endException = (context: Context, web: number, id: number): Promise<void> =>
  withAudit(context, async (tx) => {
    await lockWebs(tx, or(eq(webs.id, web), sameCustomer(tx, web)))
    const found = await findWeb(tx, web, true)
    const [exception] = await tx.db
      .delete(trackingExceptions)
      .where(
        and(
          eq(trackingExceptions.id, id),
          or(
            eq(trackingExceptions.web_id, web),
            found.customer_id === null ? undefined : eq(trackingExceptions.customer_id, found.customer_id),
          ),
        ),
      )
      .returning()
    if (!exception) throw notFound('exception_not_found', { id })
    const { difference, until, reason } = exception
    const scope = (exception.web_id === null ? customerScope(found) : null) ?? { type: 'web', id: web }
    await tx.record({
      ...entriesOf('tracking', scope.type)('exception ended', scope.id),
      old: { difference, until: until.toISOString(), reason },
    })
    await reconsiderWebs(tx, exception.web_id === null ? eq(webs.customer, found.customer) : eq(webs.id, web))
  })

const sameCustomer = ({ db }: AuditTransaction, web: number) =>
  inArray(webs.customer, db.select({ customer: webs.customer }).from(webs).where(eq(webs.id, web)))

/** @throws DomainError not-found; conflict if it is over */
async function findDifference(tx: AuditTransaction, webId: number, id: number, of: ContractScope['type']) {
  await lockWebs(tx, or(eq(webs.id, webId), of === 'web' ? undefined : sameCustomer(tx, webId)))
  const web = await findWeb(tx, webId, true)
  const customer = customerScope(web)
  const [row] = await tx.db
    .select()
    .from(trackingDifferences)
    .where(
      and(
        eq(trackingDifferences.id, id),
        eq(trackingDifferences.web_id, webId),
        isNull(trackingDifferences.ended_at),
      ),
    )
  if (!row) throw conflict('difference_over')
  const scope: ContractScope | null = of === 'web' ? { type: 'web', id: web.id } : customer
  if (scope === null) throw notFound('customer_not_found', { code: web.customer })
  return { row, scope, customer }
}

/** Of a customer, only the webs that differ in the same way. */
async function affectedWebs(
  { db }: AuditTransaction,
  web: number,
  { key }: DifferenceRow,
  of: ContractScope['type'],
) {
  if (of === 'web') return eq(webs.id, web)
  const [row] = await db.select({ customer: webs.customer }).from(webs).where(eq(webs.id, web))
  const same = db
    .select({ id: trackingDifferences.id })
    .from(trackingDifferences)
    .where(
      and(
        eq(trackingDifferences.web_id, webs.id),
        eq(trackingDifferences.key, key),
        isNull(trackingDifferences.ended_at),
      ),
    )
  return and(eq(webs.customer, row?.customer ?? ''), exists(same))
}
