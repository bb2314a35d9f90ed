import {
  type Registrar,
  type RegistrarDomain,
  RegistrarError,
  type RegistrarMailbox,
} from '@kustos/clients/registrar'
import { comparedDomain, domainName } from '@kustos/contract/external-domains'
import type { Transaction } from '@kustos/database/client'
import { registrarSyncs } from '@kustos/database/tables'
import { eq, sql } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { upstream } from '../errors.ts'
import { alone, type Comparison, compareDomains, compareEmails, type WantedDomain } from './rows.ts'

/** What a sync has moved in one list. */
export interface Moved {
  readonly entries: number
  readonly added: number
  readonly changed: number
  readonly removed: number
}
export interface Synced {
  readonly domains: Moved
  readonly emails: Moved
}

/** Milliseconds from one good sync to the next. */
const every = 3_600_000
/** The same after one that failed. */
const retryAfter = 5 * 60_000

/**
 * Syncs where it is time: hourly, after a failure sooner.
 * @returns null where it is not
 * @throws as {@link syncRegistrar}
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
    before.error === null ? age(before.succeeded_at) >= every : age(before.failed_at) >= retryAfter
  return isDue ? syncRegistrar(context, registrar, signal) : null
}

/**
 * Asks the registrar for both lists whole and puts them in the place of ours, in one transaction or not at all. Both ways
 * the outcome is kept. This is no change by staff, so that it is not in the audit log.
 *
 * @throws DomainError upstream where the registrar does not give its lists, half of them, or none of what there was; ours
 * stay
 */
export async function syncRegistrar(
  context: Context,
  registrar: Registrar,
  signal?: AbortSignal,
): Promise<Synced> {
  const asked = context.now()
  try {
    const domains = wantedDomains(await registrar.domains(signal))
    const mailboxes = await registrar.mailboxes(signal)
    return await replace(context, asked, domains, mailboxes)
  } catch (error) {
    if (!(error instanceof RegistrarError)) throw error
    await keepFailure(context, asked, error.message)
    throw upstream(error.message)
  }
}

/** A domain that is none is a wrong answer, as any other. */
function wantedDomains(list: readonly RegistrarDomain[]): readonly WantedDomain[] {
  const wanted = new Map<string, WantedDomain>()
  for (const { fqdn, customer, created_at } of list) {
    // As zone files have it.
    const parsed = domainName.safeParse(fqdn.replace(/\.$/, ''))
    if (!parsed.success) {
      throw new RegistrarError(
        200,
        `The registrar lists something that is no domain: ${fqdn.slice(0, 100)} (${parsed.error.issues[0]?.message}).`,
      )
    }
    const fqdn_ascii = comparedDomain(parsed.data)
    wanted.set(fqdn_ascii, { fqdn: parsed.data, fqdn_ascii, customer, created_at })
  }
  return [...wanted.values()]
}

function replace(
  { db }: Context,
  asked: Date,
  domains: readonly WantedDomain[],
  mailboxes: readonly RegistrarMailbox[],
): Promise<Synced> {
  return db.transaction(async (tx) => {
    await alone(tx)
    const before = await readSync(tx)
    const lists = {
      domains: await compareDomains(tx, domains, asked),
      emails: await compareEmails(tx, mailboxes, asked),
    }
    // Somebody who asked later was faster.
    if (before.succeeded_at !== null && before.succeeded_at > asked)
      return { domains: untouched(lists.domains), emails: untouched(lists.emails) }
    for (const [name, { before: had, outcomes }] of Object.entries(lists)) {
      // One whose token may read nothing any more answers with an empty list and no error.
      if (outcomes.length === 0 && had > 0) {
        throw new RegistrarError(
          200,
          `The registrar shows no ${name} at all any more. Check what the token in LIMITIS_API_TOKEN may read.`,
        )
      }
    }
    const synced = { domains: await write(lists.domains), emails: await write(lists.emails) }
    await keep(tx, { succeeded_at: asked, error: null })
    if (before.error !== null) await tellScreens(tx)
    return synced
  })
}

const untouched = ({ outcomes }: Comparison): Moved => ({
  entries: outcomes.length,
  added: 0,
  changed: 0,
  removed: 0,
})

async function write(list: Comparison): Promise<Moved> {
  await list.write()
  const removed = await list.removeOthers()
  const count = (outcome: string) => list.outcomes.filter((one) => one === outcome).length
  return { entries: list.outcomes.length, added: count('added'), changed: count('changed'), removed }
}

function keepFailure({ db }: Context, asked: Date, error: string): Promise<void> {
  return db.transaction(async (tx) => {
    await alone(tx)
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

/** Whether the lists are stale shows on the screens as well; their tables' own triggers know nothing of it. */
async function tellScreens(tx: Transaction): Promise<void> {
  for (const list of ['own_domains', 'emails'])
    await tx.execute(sql`select pg_notify('kustos', json_build_object('list', ${list}::text)::text)`)
}
