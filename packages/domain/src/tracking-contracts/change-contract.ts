import { can } from '@kustos/contract/permissions'
import {
  type CustomerContractChange,
  trackingContractsRoutes,
  type WebContractChange,
} from '@kustos/contract/tracking-contracts'
import {
  type ContractField,
  type ContractSettings,
  contractFields,
} from '@kustos/contract/tracking-contracts/states'
import { type StoredContract, trackingContracts, webs } from '@kustos/database/tables'
import { and, eq, isNull } from 'drizzle-orm'
import {
  type AuditTransaction,
  difference,
  entriesOf,
  type LogEntry,
  nextUpdatedAt,
  rejectStaleWrite,
  withAudit,
} from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { forbidden, notFound } from '../platform/errors.ts'
import { isAnyOf } from '../platform/is-any-of.ts'
import { toSettings } from './load.ts'
import { lockWebs, reconsiderWebs } from './reconsider.ts'
import { type ContractScope, columnsOf, findContract, findCustomer, findWeb } from './scope.ts'

type Given = { readonly [Field in ContractField]?: ContractSettings[Field] | undefined }

/** Of a form that was opened while there was no contract. */
const never = new Date(0).toISOString()

/**
 * Replaces the contract of a customer and, if overrides are given, those of all of its webs.
 * @throws DomainError not-found, also for webs of other customers; conflict if it has changed since `updated_at`, or what a web has
 * since `overrides_updated_at`; forbidden for overrides of a user who may not change contracts of webs
 */
export const editCustomerContract = (
  context: Context,
  code: string,
  { updated_at: seen, overrides, overrides_updated_at: overridesSeen, ...given }: CustomerContractChange,
): Promise<void> =>
  withAudit(context, async (tx) => {
    const changesWebs = overrides !== undefined
    if (changesWebs && tx.actor !== null && !can(tx.actor, trackingContractsRoutes.editWebContract.access))
      throw forbidden('unauthorized')
    await lockWebs(tx, eq(webs.customer, code))
    const customer = await findCustomer(tx.db, code, true)
    const scope = { type: 'customer', id: customer.id } as const
    const entries = [await replaceContract(tx, scope, given, seen)]
    if (overrides !== undefined) entries.push(...(await replaceOverrides(tx, code, overrides, overridesSeen)))
    await recordChanges(tx, entries)
    if (entries.some((entry) => entry !== null)) await reconsiderWebs(tx, eq(webs.customer, code))
  })

/** Replaces what a web has instead of its customer's. @throws DomainError as `editCustomerContract` */
export const editWebContract = (
  context: Context,
  web: number,
  { updated_at: seen, ...given }: WebContractChange,
): Promise<void> =>
  withAudit(context, async (tx) => {
    const { id } = await findWeb(tx, web, true)
    const entry = await replaceContract(tx, { type: 'web', id }, given, seen)
    await recordChanges(tx, [entry])
    if (entry !== null) await reconsiderWebs(tx, eq(webs.id, id))
  })

async function recordChanges(tx: AuditTransaction, entries: readonly (LogEntry | null)[]): Promise<void> {
  const made = entries.filter((entry) => entry !== null)
  if (made.length === 0) tx.skipAudit()
  else await tx.recordAll(made)
}

async function replaceOverrides(
  tx: AuditTransaction,
  code: string,
  overrides: NonNullable<CustomerContractChange['overrides']>,
  seen: string | null | undefined,
): Promise<(LogEntry | null)[]> {
  const rows = await tx.db
    .select({ id: webs.id })
    .from(webs)
    .where(and(eq(webs.customer, code), isNull(webs.deleted_at)))
    .orderBy(webs.id)
  const ofWebs = new Map(overrides.map(({ web_id, ...given }) => [web_id, given]))
  const ids = new Set(rows.map(({ id }) => id))
  const foreign = [...ofWebs.keys()].find((id) => !ids.has(id))
  if (foreign !== undefined) throw notFound('web_not_found', { id: foreign })
  const known = await tx.db
    .select({ web: trackingContracts.web_id, updated_at: trackingContracts.updated_at })
    .from(trackingContracts)
    .where(isAnyOf(trackingContracts.web_id, [...ids]))
    .orderBy(trackingContracts.id)
    .for('update')
  const last = known.toSorted((a, b) => b.updated_at.getTime() - a.updated_at.getTime())[0]
  if (last !== undefined && seen !== undefined)
    await rejectStaleWrite(
      tx,
      { type: 'web', id: last.web ?? 0 },
      'tracking_contract',
      last.updated_at,
      seen ?? never,
      ['contract changed'],
    )
  const had = new Set(known.map(({ web }) => web))
  const entries: (LogEntry | null)[] = []
  for (const id of ids)
    if (had.has(id) || ofWebs.has(id))
      entries.push(await replaceContract(tx, { type: 'web', id }, ofWebs.get(id) ?? {}))
  return entries
}

/**
 * Writes the fields of a contract in the transaction of the caller, who records the entry.
 * @returns the entry; null if nothing changes
 * @throws DomainError conflict if it has changed since `seen`
 */
export async function replaceContract(
  tx: AuditTransaction,
  scope: ContractScope,
  given: Given,
  seen?: string | null,
): Promise<LogEntry | null> {
  const known = await findContract(tx.db, scope, true)
  if (known !== null && seen !== undefined)
    await rejectStaleWrite(tx, scope, 'tracking_contract', known.updated_at, seen ?? never, [
      'contract changed',
    ])
  const settings = toStored(given)
  const changed = difference(toSettings(known?.settings ?? {}), toSettings(settings))
  if (changed === null) return null
  if (known === null) await insertContract(tx, scope, settings)
  else
    await tx.db
      .update(trackingContracts)
      .set({ settings, updated_at: nextUpdatedAt(known, tx) })
      .where(eq(trackingContracts.id, known.id))
  return { ...entriesOf('tracking', scope.type)('contract changed', scope.id), ...changed }
}

/** Someone else may insert the same contract at this moment, which then fails as stale. */
async function insertContract(
  tx: AuditTransaction,
  scope: ContractScope,
  settings: StoredContract,
): Promise<void> {
  const times = { created_at: tx.now(), updated_at: tx.now() }
  const [row] = await tx.db
    .insert(trackingContracts)
    .values({ ...columnsOf(scope), settings, ...times })
    .onConflictDoNothing()
    .returning({ id: trackingContracts.id })
  if (row) return
  const other = await findContract(tx.db, scope, true)
  await rejectStaleWrite(tx, scope, 'tracking_contract', other?.updated_at ?? tx.now(), never, [
    'contract changed',
  ])
}

/** The fields that are set. */
const toStored = (given: Given): StoredContract =>
  Object.fromEntries(contractFields.flatMap((field) => (given[field] == null ? [] : [[field, given[field]]])))
