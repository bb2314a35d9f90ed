import type { NameCheck, NameChecker } from '@kustos/clients/certificates'
import type { CertificateState } from '@kustos/contract/certificates'
import type { Transaction } from '@kustos/database/client'
import { certificateChecks, nodes, webCertificates, webs } from '@kustos/database/tables'
import { and, eq, notInArray, sql } from 'drizzle-orm'
import pLimit from 'p-limit'
import { createNodeAddresses } from '../../external-domains/index.ts'
import type { Context } from '../../platform/context.ts'
import { isAnyOf } from '../../platform/is-any-of.ts'
import { monitoredWebs } from '../monitored-webs.ts'
import { type JudgedName, judgeName, type StoredName } from './judge-name.ts'
import { namesOf } from './names.ts'

const checkedEveryMs = 3_600_000
/** Probes see the certificate of a web's own name only, so that other ones are looked at more often. */
const othersCheckedEveryMs = 5 * 60_000
/** A first failure over IPv6 is confirmed after this time. */
const confirmAfterMs = 60_000
/** A web whose check has died with its worker is checked again. */
const claimMs = 5 * 60_000
/** How often the task runs in an hour (apps/worker), with some room. */
const runsPerHour = 200
const minWebsPerRun = 20
/** Handshakes at the same time, two for each name. */
const maxConcurrentNames = 25

/**
 * Checks the certificates of all names of the webs that are due: an hour after their last check, five minutes if one of the names
 * shows another certificate than the web's own, or at once if a probe has seen another one. Each run takes its share of them, so that
 * they stay spread over the hour.
 * @returns null if none was due
 */
export async function checkCertificates(
  context: Context,
  checker: Pick<NameChecker, 'check'>,
  { internalMarker }: { readonly internalMarker: string },
  signal?: AbortSignal,
): Promise<{ readonly checked: number } | null> {
  const due = await claimDueWebs(context, internalMarker)
  const limit = pLimit(maxConcurrentNames)
  const check = (name: string): Promise<NameCheck> => limit(() => checker.check(name, signal))
  await Promise.all(due.map((web) => checkWeb(context, check, web, signal)))
  return due.length === 0 ? null : { checked: due.length }
}

async function claimDueWebs({ db, now }: Context, internalMarker: string): Promise<readonly DueWeb[]> {
  const monitored = monitoredWebs(internalMarker)
  const more = checkedEveryMs / othersCheckedEveryMs - 1
  const checks = (await db.$count(webs, monitored)) + more * (await countWithOthers(db))
  const share = Math.ceil(checks / runsPerHour)
  const [at, until] = [now(), new Date(now().getTime() + claimMs)].map((time) => time.toISOString())
  const { rows } = await db.execute<{ web_id: number }>(sql`
    insert into certificate_checks (web_id, due_at)
    select ${webs.id}, ${until}::timestamptz
    from ${webs} left join certificate_checks known on known.web_id = ${webs.id}
    where ${monitored} and (known.due_at is null or known.due_at <= ${at})
    order by known.due_at nulls last, ${webs.id}
    limit ${Math.max(share, minWebsPerRun)}
    on conflict (web_id) do update set due_at = excluded.due_at
    returning web_id`)
  return readDueWebs(
    db,
    rows.map(({ web_id }) => web_id),
  )
}

/** The number of webs with a name that shows another certificate than their own. */
async function countWithOthers(db: Transaction): Promise<number> {
  const { rows } = await db.execute<{ webs: number }>(sql`
    select count(distinct other.web_id)::int as webs
    from ${webCertificates} other join ${webCertificates} own on own.web_id = other.web_id and own.kind = 'main'
    where other.kind <> 'main' and other.state <> all(${sql.param(unseenStates)}::text[])
      and other.fingerprint is distinct from own.fingerprint`)
  return rows[0]?.webs ?? 0
}

type DueWeb = Awaited<ReturnType<typeof readDueWebs>>[number]

const readDueWebs = (db: Transaction, ids: readonly number[]) =>
  db
    .select({
      id: webs.id,
      fqdn_ascii: webs.fqdn_ascii,
      sites: webs.sites,
      aliases: webs.aliases,
      configured_ip: webs.configured_ip,
      node_address: nodes.address,
    })
    .from(webs)
    .leftJoin(nodes, eq(nodes.id, webs.node_id))
    .where(isAnyOf(webs.id, ids))

async function checkWeb(
  context: Context,
  check: (name: string) => Promise<NameCheck>,
  web: DueWeb,
  signal: AbortSignal | undefined,
): Promise<void> {
  const names = namesOf(web)
  const checks = await Promise.all(names.map(async (one) => ({ ...one, check: await check(one.name) })))
  if (signal?.aborted) return
  const [own] = checks
  // Users and nodes write addresses in other notations than answers of name servers.
  const homes = createNodeAddresses(
    [
      web.configured_ip,
      ...(web.node_address === null ? [] : [web.node_address]),
      ...(own?.check.addresses ?? []),
    ],
    null,
  )
  const now = context.now()
  await context.db.transaction(async (tx) => {
    await context.assertLease?.(tx)
    // Of one that was deleted or renamed meanwhile there is nothing to be stored.
    const [row] = await tx
      .select({ name: webs.fqdn_ascii })
      .from(webs)
      .where(eq(webs.id, web.id))
      .for('key share')
    if (row?.name !== web.fqdn_ascii) return
    const known = await tx.select().from(webCertificates).where(eq(webCertificates.web_id, web.id))
    const judged = checks.flatMap((one) => {
      if (isOwnOutage(one.check)) return []
      const before = known.find(({ name }) => name === one.name) ?? null
      const judgedName = judgeName(one, one.check, before, { homes, now })
      return isOfInterest(judgedName, before) ? [judgedName] : []
    })
    const unknown = checks.filter((one) => isOwnOutage(one.check)).map(({ name }) => name)
    await storeNames(tx, web.id, judged, unknown)
    const isDoubtful = judged.some(({ ipv6 }) => ipv6 === 'unconfirmed')
    const nextMs = hasOther(judged) ? othersCheckedEveryMs : checkedEveryMs
    // Unless a probe has asked for another check meanwhile.
    await tx
      .update(certificateChecks)
      .set({ due_at: new Date(now.getTime() + (isDoubtful ? confirmAfterMs : nextMs)) })
      .where(and(eq(certificateChecks.web_id, web.id), sql`${certificateChecks.due_at} > '-infinity'`))
  })
}

/** Whether our own network is in doubt, so that what is known of the name stays. */
const isOwnOutage = ({ ipv4, ipv6 }: NameCheck): boolean => (ipv4 ?? ipv6)?.isOwn ?? false

/** Of names that show no certificate of the web. */
const unseenStates: readonly CertificateState[] = ['unresolved', 'elsewhere', 'unreachable']

/** The counterpart with or without www need not exist. One that was there stays while it does not answer, with what is known of it. */
const isOfInterest = ({ kind, state }: JudgedName, before: StoredName | null): boolean =>
  kind !== 'www' || !unseenStates.includes(state) || (state === 'unreachable' && before !== null)

/** As `countWithOthers` counts. */
function hasOther(names: readonly JudgedName[]): boolean {
  const own = names.find(({ kind }) => kind === 'main')
  return (
    own !== undefined &&
    names.some(({ state, fingerprint }) => !unseenStates.includes(state) && fingerprint !== own.fingerprint)
  )
}

/** Names that the web no longer has are removed. @param unknown names that stay as they are */
async function storeNames(
  tx: Transaction,
  web: number,
  names: readonly JudgedName[],
  unknown: readonly string[],
): Promise<void> {
  await tx
    .delete(webCertificates)
    .where(
      and(
        eq(webCertificates.web_id, web),
        notInArray(webCertificates.name, [...names.map(({ name }) => name), ...unknown]),
      ),
    )
  for (const judged of names)
    await tx
      .insert(webCertificates)
      .values({ web_id: web, ...judged })
      .onConflictDoUpdate({ target: [webCertificates.web_id, webCertificates.name], set: judged })
}
