import { type Registrar, RegistrarError } from '@kustos/clients/registrar'
import { registrarSyncs } from '@kustos/database/tables'
import { withAudit } from '../platform/audit.ts'
import type { Context, Scope } from '../platform/context.ts'
import { upstreamError } from '../platform/errors.ts'
import { lockInTransaction } from '../platform/locks.ts'
import {
  isBeyondClock,
  isOvertaken,
  readSync,
  type SyncedLists,
  storeFailure,
  storeSuccess,
} from '../platform/sync-state.ts'
import {
  type ChangedNames,
  type Comparison,
  compareDomains,
  compareEmails,
  lockLists,
} from './compare-lists.ts'
import { type WantedList, wantedDomains, wantedMailboxes } from './wanted-lists.ts'

export interface SyncCounts {
  readonly entries: number
  readonly added: number
  readonly changed: number
  readonly removed: number
}
export interface SyncResult {
  readonly domains: SyncCounts
  readonly emails: SyncCounts
  /** Which entries of the registrar could not be taken, in sentences. */
  readonly notes: readonly string[]
}

export interface SyncOptions {
  readonly signal?: AbortSignal | undefined
  readonly isRemovalConfirmed?: boolean
}

export const registrarLists: SyncedLists = {
  table: registrarSyncs,
  lock: 'registrar',
  names: ['own_domains', 'emails'],
}

const intervalMs = 3_600_000
const retryAfterMs = 5 * 60_000

/**
 * Syncs hourly, and sooner after a failure.
 * @returns null if it is not due
 * @throws like {@link syncRegistrar}
 */
export async function syncRegistrarWhenDue(
  context: Context,
  registrar: Registrar,
  signal?: AbortSignal,
): Promise<SyncResult | null> {
  const before = await readSync(context.db, registrarLists)
  const age = (moment: Date | null) =>
    moment === null || isBeyondClock(context, moment)
      ? Number.POSITIVE_INFINITY
      : context.now().getTime() - moment.getTime()
  const isDue =
    before.error === null ? age(before.succeeded_at) >= intervalMs : age(before.failed_at) >= retryAfterMs
  return isDue ? syncRegistrar(context, registrar, { signal }) : null
}

/**
 * Replaces both lists with those of the registrar in one transaction, and stores the outcome. The audit log names what has
 * changed.
 *
 * @throws DomainError upstream if the registrar does not answer, or if its lists are empty or less than half as long as
 * before without confirmation; nothing is changed then
 */
export async function syncRegistrar(
  context: Context,
  registrar: Registrar,
  { signal, isRemovalConfirmed = false }: SyncOptions = {},
): Promise<SyncResult> {
  const asked = context.now()
  try {
    const domains = wantedDomains(await registrar.domains(signal))
    const mailboxes = wantedMailboxes(await registrar.mailboxes(signal))
    return await withAudit(context, async (tx) => {
      const { changes, ...synced } = await replace(tx, { asked, domains, mailboxes, isRemovalConfirmed })
      const isConfirmed = isRemovalConfirmed && synced.domains.removed + synced.emails.removed > 0
      const description = isConfirmed ? 'removals confirmed' : 'synced'
      if (Object.keys(changes).length === 0) tx.skipAudit()
      else await tx.record({ log: 'limitis', description, attributes: changes })
      return synced
    })
  } catch (error) {
    if (!(error instanceof RegistrarError)) throw error
    const failure = upstreamError('service_failed', { reason: error.message })
    await storeFailure(context, registrarLists, asked, failure.codedMessage)
    throw failure
  }
}

interface Wanted {
  readonly asked: Date
  readonly domains: ReturnType<typeof wantedDomains>
  readonly mailboxes: ReturnType<typeof wantedMailboxes>
  readonly isRemovalConfirmed: boolean
}

/** @returns what has changed, and the same for the audit log */
async function replace(
  { db: tx, now }: Pick<Scope, 'db' | 'now'>,
  { asked, domains, mailboxes, isRemovalConfirmed }: Wanted,
): Promise<SyncResult & { readonly changes: Readonly<Record<string, unknown>> }> {
  await lockInTransaction(tx, registrarLists.lock)
  await lockLists(tx)
  const before = await readSync(tx, registrarLists)
  const ofDomains = await compareDomains(tx, domains.rows, asked)
  const ofEmails = await compareEmails(tx, mailboxes.rows, asked)
  const notes = [...domains.notes, ...mailboxes.notes]
  if (isOvertaken({ now }, before, asked))
    return { domains: untouched(ofDomains), emails: untouched(ofEmails), notes, changes: {} }
  if (!isRemovalConfirmed) {
    refuseGreatLoss('domains', ofDomains, domains)
    refuseGreatLoss('emails', ofEmails, mailboxes)
  }
  const synced = {
    domains: await write(ofDomains, domains),
    emails: await write(ofEmails, mailboxes),
    notes,
  }
  await storeSuccess(tx, registrarLists, before, asked)
  return {
    ...synced,
    changes: {
      ...describeChanges('domains', ofDomains.names, domains),
      ...describeChanges('emails', ofEmails.names, mailboxes),
    },
  }
}

/** The audit log shows the count and this many names. */
const maxNames = 200

function describeChanges(list: string, { added, changed, others }: ChangedNames, { isComplete }: WantedList) {
  const moved = Object.entries({ added, changed, removed: isComplete ? others : [] }).filter(
    ([, names]) => names.length > 0,
  )
  if (moved.length === 0) return {}
  return {
    [list]: Object.fromEntries(moved.map(([what, names]) => [what, names.length])),
    ...Object.fromEntries(moved.map(([what, names]) => [`${list}_${what}`, names.slice(0, maxNames)])),
  }
}

/** Of up to this many rows, more than half may be removed without confirmation. */
const maxUnconfirmedRows = 10

/** A token with fewer rights leads to a short or empty list rather than to an error. */
function refuseGreatLoss(name: string, { before, outcomes, names }: Comparison, list: WantedList): void {
  if (!list.isComplete) return
  const others = names.others.length
  const isEmpty = outcomes.length === 0 && before > 0
  if (!isEmpty && (before <= maxUnconfirmedRows || others * 2 <= before)) return
  const what = isEmpty
    ? `The registrar shows no ${name} at all any more`
    : `The registrar does not show ${others} of our ${before} ${name} any more`
  throw new RegistrarError(
    200,
    `${what}. Check what the token in LIMITIS_API_TOKEN may read; if it is true, "pnpm kustos sync registrar --confirm-removals" removes them.`,
  )
}

const untouched = ({ outcomes }: Comparison): SyncCounts => ({
  entries: outcomes.length,
  added: 0,
  changed: 0,
  removed: 0,
})

async function write(list: Comparison, { isComplete }: WantedList): Promise<SyncCounts> {
  await list.write()
  if (isComplete) await list.removeOthers()
  const count = (outcome: string) => list.outcomes.filter((one) => one === outcome).length
  return {
    entries: list.outcomes.length,
    added: count('added'),
    changed: count('changed'),
    removed: isComplete ? list.names.others.length : 0,
  }
}
