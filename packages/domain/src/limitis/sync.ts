import { type Registrar, RegistrarError } from '@kustos/clients/registrar'
import type { Transaction } from '@kustos/database/client'
import { registrarSyncs } from '@kustos/database/tables'
import { eq, sql } from 'drizzle-orm'
import { withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { upstream } from '../platform/errors.ts'
import { lockInTransaction } from '../platform/locks.ts'
import { type Comparison, compareDomains, compareEmails, type Names } from './rows.ts'
import { type WantedList, wantedDomains, wantedMailboxes } from './wanted.ts'

export interface Moved {
  readonly entries: number
  readonly added: number
  readonly changed: number
  readonly removed: number
}
export interface Synced {
  readonly domains: Moved
  readonly emails: Moved
  /** Which entries of the registrar could not be taken, in sentences. */
  readonly notes: readonly string[]
}

export interface SyncOptions {
  readonly signal?: AbortSignal | undefined
  /** Whether an operator has confirmed the removals. */
  readonly isRemovalConfirmed?: boolean
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
): Promise<Synced | null> {
  const before = await readSync(context.db)
  const age = (moment: Date | null) =>
    moment === null ? Number.POSITIVE_INFINITY : context.now().getTime() - moment.getTime()
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
): Promise<Synced> {
  const asked = context.now()
  try {
    const domains = wantedDomains(await registrar.domains(signal))
    const mailboxes = wantedMailboxes(await registrar.mailboxes(signal))
    const lists = { asked, domains, mailboxes, isRemovalConfirmed }
    return await withAudit(context, async (tx) => {
      const { changes, ...synced } = await replace(tx.db, lists)
      const isConfirmed = isRemovalConfirmed && synced.domains.removed + synced.emails.removed > 0
      const description = isConfirmed ? 'removals confirmed' : 'synced'
      if (Object.keys(changes).length === 0) tx.skipAudit()
      else await tx.record({ log: 'limitis', description, attributes: changes })
      return synced
    })
  } catch (error) {
    if (!(error instanceof RegistrarError)) throw error
    await keepFailure(context, asked, error.message)
    throw upstream('service_failed', { reason: error.message })
  }
}

interface Lists {
  readonly asked: Date
  readonly domains: ReturnType<typeof wantedDomains>
  readonly mailboxes: ReturnType<typeof wantedMailboxes>
  readonly isRemovalConfirmed: boolean
}

interface Replaced extends Synced {
  /** For the audit log. */
  readonly changes: Readonly<Record<string, unknown>>
}

async function replace(
  tx: Transaction,
  { asked, domains, mailboxes, isRemovalConfirmed }: Lists,
): Promise<Replaced> {
  await lockInTransaction(tx, 'registrar')
  const before = await readSync(tx)
  const ofDomains = await compareDomains(tx, domains.rows, asked)
  const ofEmails = await compareEmails(tx, mailboxes.rows, asked)
  const notes = [...domains.notes, ...mailboxes.notes]
  // A later request has already been answered.
  if (before.succeeded_at !== null && before.succeeded_at > asked)
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
  await keep(tx, { succeeded_at: asked, error: null })
  if (before.error !== null) await tellScreens(tx)
  return {
    ...synced,
    changes: {
      ...toldOf('domains', ofDomains.names, domains),
      ...toldOf('emails', ofEmails.names, mailboxes),
    },
  }
}

/** The audit log shows the count and this many names. */
const mostNames = 200

function toldOf(list: string, { added, changed, others }: Names, { isWhole }: WantedList) {
  const moved = Object.entries({ added, changed, removed: isWhole ? others : [] }).filter(
    ([, names]) => names.length > 0,
  )
  if (moved.length === 0) return {}
  return {
    [list]: Object.fromEntries(moved.map(([what, names]) => [what, names.length])),
    ...Object.fromEntries(moved.map(([what, names]) => [`${list}_${what}`, names.slice(0, mostNames)])),
  }
}

/** Of so few rows more than half may be removed without confirmation. */
const few = 10

/** A token with fewer rights leads to a short or empty list rather than to an error. */
function refuseGreatLoss(name: string, { before, others, outcomes }: Comparison, list: WantedList): void {
  if (!list.isWhole) return
  const isEmpty = outcomes.length === 0 && before > 0
  if (!isEmpty && (before <= few || others * 2 <= before)) return
  const what = isEmpty
    ? `The registrar shows no ${name} at all any more`
    : `The registrar does not show ${others} of our ${before} ${name} any more`
  throw new RegistrarError(
    200,
    `${what}. Check what the token in LIMITIS_API_TOKEN may read; if it is true, "pnpm kustos sync registrar --confirm-removals" removes them.`,
  )
}

const untouched = ({ outcomes }: Comparison): Moved => ({
  entries: outcomes.length,
  added: 0,
  changed: 0,
  removed: 0,
})

async function write(list: Comparison, { isWhole }: WantedList): Promise<Moved> {
  await list.write()
  const removed = isWhole ? await list.removeOthers() : 0
  const count = (outcome: string) => list.outcomes.filter((one) => one === outcome).length
  return { entries: list.outcomes.length, added: count('added'), changed: count('changed'), removed }
}

function keepFailure({ db }: Context, asked: Date, error: string): Promise<void> {
  return db.transaction(async (tx) => {
    await lockInTransaction(tx, 'registrar')
    const before = await readSync(tx)
    if (before.succeeded_at !== null && before.succeeded_at > asked) return
    await keep(tx, { failed_at: asked, error })
    if (before.error === null) await tellScreens(tx)
  })
}

async function readSync(db: Transaction) {
  const [row] = await db.select().from(registrarSyncs).where(eq(registrarSyncs.id, 1))
  return row ?? { succeeded_at: null, failed_at: null, error: null }
}

async function keep(tx: Transaction, columns: Partial<typeof registrarSyncs.$inferInsert>): Promise<void> {
  await tx
    .insert(registrarSyncs)
    .values({ id: 1, ...columns })
    .onConflictDoUpdate({ target: registrarSyncs.id, set: columns })
}

/** Updates the open screens, which show whether the lists are stale; the tables' triggers do not cover that. */
async function tellScreens(tx: Transaction): Promise<void> {
  for (const list of ['own_domains', 'emails'])
    await tx.execute(sql`select pg_notify('kustos', json_build_object('list', ${list}::text)::text)`)
}
