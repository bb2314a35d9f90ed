import type { Dns } from '@kustos/clients/dns'
import { externalDomainStatus, ownDomainStatus } from '@kustos/contract/external-domains'
import { englishText } from '@kustos/contract/messages/english'
import type { Transaction } from '@kustos/database/client'
import { storableJson } from '@kustos/database/storable-text'
import { externalDomains, nodes, ownDomains } from '@kustos/database/tables'
import { and, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import pLimit from 'p-limit'
import type { Context } from '../platform/context.ts'
import { storedMessage } from '../platform/stored-message.ts'
import {
  createNodeAddresses,
  type DomainState,
  determineDomainState,
  type NodeAddresses,
} from './domain-state.ts'

/** Own and external domains are checked alike. */
const lists = [
  { table: ownDomains, codes: ownDomainStatus },
  { table: externalDomains, codes: externalDomainStatus },
] as const
type List = (typeof lists)[number]

export interface CheckCounts {
  readonly checked: number
  /** How many of them could not be looked up. */
  readonly unknown: number
}

const concurrency = 16
/** New domains in one batch, whose results are stored together. */
const maxNewDomains = 100
const hourMs = 3_600_000
const maxAgeMs = 24 * hourMs
/** The period of {@link checkKnownDomains}. */
const runIntervalMs = hourMs / 6
const runsADay = (24 * hourMs) / runIntervalMs

export async function checkNewDomains(
  context: Context,
  dns: Dns,
  signal: AbortSignal,
): Promise<CheckCounts | null> {
  const sum = { checked: 0, unknown: 0 }
  for (;;) {
    const some = await check(context, dns, signal, ({ table }) => ({
      due: and(isNull(table.checked_at), isNull(table.check_error)),
      most: () => Promise.resolve(maxNewDomains),
    }))
    sum.checked += some?.checked ?? 0
    sum.unknown += some?.unknown ?? 0
    if (some === null) return sum.checked === 0 ? null : sum
  }
}

/**
 * Checks again domains that were checked a day ago, a share of all in each run so that the checks are spread over the day.
 * Domains that could not be checked are due in one run of each hour, which their id selects, since the time of the last
 * try is not stored.
 */
export const checkKnownDomains = (
  context: Context,
  dns: Dns,
  signal: AbortSignal,
): Promise<CheckCounts | null> =>
  check(context, dns, signal, ({ table }) => {
    const now = context.now().getTime()
    const runs = hourMs / runIntervalMs
    const turn = Math.floor(now / runIntervalMs) % runs
    return {
      due: or(
        and(isNull(table.check_error), lt(table.checked_at, new Date(now - maxAgeMs))),
        and(isNotNull(table.check_error), sql`${table.id} % ${runs} = ${turn}`),
      ),
      // Domains that fail are due more often.
      most: async () => 20 + Math.ceil((2 * (await context.db.$count(table))) / runsADay),
    }
  })

interface CheckedRow {
  readonly id: number
  readonly fqdn_ascii: string
  /** Why the last check failed. */
  readonly code: string | null
  readonly reason: string | null
}

interface DueDomains {
  readonly due: SQL | undefined
  readonly most: () => Promise<number>
}

/** @returns null if nothing was due */
async function check(
  context: Context,
  dns: Dns,
  signal: AbortSignal,
  choose: (list: List) => DueDomains,
): Promise<CheckCounts | null> {
  const counted = { checked: 0, unknown: 0 }
  const limit = pLimit(concurrency)
  let addresses: NodeAddresses | undefined
  for (const list of lists) {
    const { table } = list
    const { due, most } = choose(list)
    const rows = await context.db
      .select({
        id: table.id,
        fqdn_ascii: table.fqdn_ascii,
        code: table.check_error_code,
        reason: table.check_error,
      })
      .from(table)
      .where(due)
      .orderBy(sql`random()`)
      .limit(await most())
    if (rows.length === 0) continue
    addresses ??= await readNodeAddresses(context.db, dns, signal)
    const known = addresses
    const checked = await Promise.all(
      rows.map((row) =>
        limit(async () => ({
          ...row,
          ...determineDomainState(await dns.lookUp(row.fqdn_ascii, signal), known),
        })),
      ),
    )
    await storeStates(context, list, checked)
    counted.checked += checked.length
    counted.unknown += checked.filter(({ state }) => state === 'unknown').length
  }
  return counted.checked === 0 ? null : counted
}

/** A node without a stored address has those that its name resolves to. */
async function readNodeAddresses(db: Transaction, dns: Dns, signal: AbortSignal): Promise<NodeAddresses> {
  const rows = await db
    .select({ name: nodes.name, fqdn: nodes.plesk_fqdn, address: nodes.address })
    .from(nodes)
  const found = await Promise.all(
    rows.map(async ({ name, fqdn, address }) => ({
      name,
      addresses: address === null ? await dns.addresses(fqdn, signal) : [address],
    })),
  )
  return createNodeAddresses(
    found.flatMap(({ addresses }) => addresses ?? []),
    found.find(({ addresses }) => addresses === null)?.name ?? null,
  )
}

/**
 * Stores the results in one statement, which updates the open screens once. An unknown result changes only its reason, if
 * that is another one. A domain that has since been renamed is skipped.
 */
async function storeStates(
  { db, now }: Context,
  { table, codes }: List,
  checked: readonly (DomainState & CheckedRow)[],
): Promise<void> {
  const changed = checked.filter(
    (row) => row.state !== 'unknown' || row.error.code !== row.code || englishText(row.error) !== row.reason,
  )
  if (changed.length === 0) return
  const rows = changed.map((row) => ({
    id: row.id,
    fqdn_ascii: row.fqdn_ascii,
    ...(row.state === 'unknown'
      ? storedMessage('check_error', row.error)
      : { status: codes[row.state], mname: row.mname }),
  }))
  const at = now().toISOString()
  await db.execute(sql`
    update ${table} as domain set
      status = case when said.check_error is null then said.status else domain.status end,
      mname = case when said.check_error is null then said.mname else domain.mname end,
      checked_at = case when said.check_error is null then ${at}::timestamptz else domain.checked_at end,
      check_error = said.check_error,
      check_error_code = said.check_error_code,
      check_error_params = said.check_error_params
    from json_to_recordset(${storableJson(rows)}::json) as said(id integer, fqdn_ascii text, status integer,
      mname text, check_error text, check_error_code text, check_error_params jsonb)
    where domain.id = said.id and domain.fqdn_ascii = said.fqdn_ascii`)
}
