import type { Dns } from '@kustos/clients/dns'
import { externalDomainStatus, ownDomainStatus } from '@kustos/contract/external-domains'
import type { Transaction } from '@kustos/database/client'
import { externalDomains, nodes, ownDomains } from '@kustos/database/tables'
import { and, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import pLimit from 'p-limit'
import type { Context } from '../context.ts'
import { type Judged, judgeDomain, type OurAddresses, ourAddresses } from './judge.ts'

/** Own and external domains are checked alike. */
const lists = [
  { table: ownDomains, codes: ownDomainStatus },
  { table: externalDomains, codes: externalDomainStatus },
] as const
type List = (typeof lists)[number]

export interface Checked {
  readonly checked: number
  /** Those of them that name servers could not be asked about. */
  readonly unknown: number
}

/** Looks under way at a time, in one process. */
const atOnce = 16
/** New domains that are taken at a time: what was learned of them is seen when all of them are through. */
const mostNew = 100
const hour = 3_600_000
/** Milliseconds from one answer to the next question. */
const freshFor = 24 * hour
/** Between two runs of {@link checkKnownDomains}. */
const betweenRuns = hour / 6
const runsADay = (24 * hour) / betweenRuns

/** Checks all domains that nobody has looked at yet. Two workers may check one twice, which harms nothing. */
export async function checkNewDomains(
  context: Context,
  dns: Dns,
  signal: AbortSignal,
): Promise<Checked | null> {
  const sum = { checked: 0, unknown: 0 }
  for (;;) {
    const some = await check(context, dns, signal, ({ table }) => ({
      due: and(isNull(table.checked_at), isNull(table.check_error)),
      most: () => Promise.resolve(mostNew),
    }))
    sum.checked += some?.checked ?? 0
    sum.unknown += some?.unknown ?? 0
    if (some === null) return sum.checked === 0 ? null : sum
  }
}

/**
 * Checks domains again that were checked a day ago: at each run so many that all of them get their turn within a day,
 * and those that came at once are spread over it. Those that could not be checked have one run in each hour, by their
 * number: when they were tried is kept nowhere, since the time of a row belongs to what staff change.
 */
export const checkKnownDomains = (context: Context, dns: Dns, signal: AbortSignal): Promise<Checked | null> =>
  check(context, dns, signal, ({ table }) => {
    const now = context.now().getTime()
    const runs = hour / betweenRuns
    const turn = Math.floor(now / betweenRuns) % runs
    return {
      due: or(
        and(isNull(table.check_error), lt(table.checked_at, new Date(now - freshFor))),
        and(isNotNull(table.check_error), sql`${table.id} % ${runs} = ${turn}`),
      ),
      // With room for those that fail, which come more often.
      most: async () => 20 + Math.ceil((2 * (await context.db.$count(table))) / runsADay),
    }
  })

interface Choice {
  readonly due: SQL | undefined
  readonly most: () => Promise<number>
}

/** @returns null where nothing was due */
async function check(
  context: Context,
  dns: Dns,
  signal: AbortSignal,
  choose: (list: List) => Choice,
): Promise<Checked | null> {
  const counted = { checked: 0, unknown: 0 }
  const limit = pLimit(atOnce)
  let ours: OurAddresses | undefined
  for (const list of lists) {
    const { table } = list
    const { due, most } = choose(list)
    const rows = await context.db
      .select({ id: table.id, fqdn_ascii: table.fqdn_ascii })
      .from(table)
      .where(due)
      // Workers that begin together mostly take different ones.
      .orderBy(sql`random()`)
      .limit(await most())
    if (rows.length === 0) continue
    ours ??= await nodesAddresses(context.db, dns, signal)
    const known = ours
    const judged = await Promise.all(
      rows.map((row) =>
        limit(async () => ({ ...row, ...judgeDomain(await dns.lookUp(row.fqdn_ascii, signal), known) })),
      ),
    )
    await keep(context, list, judged)
    counted.checked += judged.length
    counted.unknown += judged.filter(({ state }) => state === 'unknown').length
  }
  return counted.checked === 0 ? null : counted
}

/** A node without an address of its own has those that its name leads to. */
async function nodesAddresses(db: Transaction, dns: Dns, signal: AbortSignal): Promise<OurAddresses> {
  const rows = await db
    .select({ name: nodes.name, fqdn: nodes.plesk_fqdn, address: nodes.address })
    .from(nodes)
  const found = await Promise.all(
    rows.map(async ({ name, fqdn, address }) => ({
      name,
      addresses: address === null ? await dns.addresses(fqdn, signal) : [address],
    })),
  )
  return ourAddresses(
    found.flatMap(({ addresses }) => addresses ?? []),
    found.find(({ addresses }) => addresses === null)?.name ?? null,
  )
}

/**
 * In one statement, which open screens are told of once. What is unknown leaves everything but its reason; a domain
 * that has got another name meanwhile is left to the next run.
 */
async function keep(
  { db, now }: Context,
  { table, codes }: List,
  judged: readonly (Judged & { readonly id: number; readonly fqdn_ascii: string })[],
): Promise<void> {
  const rows = judged.map((row) => ({
    id: row.id,
    fqdn_ascii: row.fqdn_ascii,
    ...(row.state === 'unknown'
      ? { error: row.error }
      : { status: codes[row.state], mname: row.mname, error: null }),
  }))
  const at = now().toISOString()
  await db.execute(sql`
    update ${table} as domain set
      status = case when said.error is null then said.status else domain.status end,
      mname = case when said.error is null then said.mname else domain.mname end,
      checked_at = case when said.error is null then ${at}::timestamptz else domain.checked_at end,
      check_error = said.error
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as said(id integer, fqdn_ascii text, status integer, mname text, error text)
    where domain.id = said.id and domain.fqdn_ascii = said.fqdn_ascii`)
}
