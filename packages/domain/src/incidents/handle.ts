import { incidentsRoutes } from '@kustos/contract/incidents'
import { can } from '@kustos/contract/permissions'
import {
  acknowledge,
  assign,
  type Entry,
  endSnooze,
  isAcknowledged,
  type LockEntries,
  lockHandlingsOf,
  snooze,
  unassign,
  withdraw,
} from '../attention/index.ts'
import type { AuditTransaction } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { conflict, forbidden } from '../platform/errors.ts'
import { assertFound, readOpenMembers } from './find.ts'

type Rank = (entry: Entry, tx: AuditTransaction) => number

const isOwn = ({ handling }: Entry, { actor }: AuditTransaction) => handling?.acknowledged_by === actor?.id

/** First what nobody has acknowledged, then what others have. */
const openFirst: Rank = (entry, tx) => (isAcknowledged(entry, tx) ? (isOwn(entry, tx) ? 2 : 1) : 0)

/** First what the acting user has acknowledged, the latest at the start. */
const ownFirst: Rank = (entry, tx) =>
  isOwn(entry, tx) ? -(entry.handling?.acknowledged_at?.getTime() ?? 0) : 0

/**
 * The entries of the attention list for incidents: what is done about one is done about the other. Those of an outage are those of
 * its open members.
 * @throws DomainError not-found; conflict if all have ended
 */
const entriesOf =
  (ids: readonly number[], rank: Rank = openFirst): LockEntries =>
  async (tx) => {
    if (!can(tx.actor, incidentsRoutes.acknowledgeIncident.access)) throw forbidden('unauthorized')
    await assertFound(tx, ids)
    const [first, ...others] = (await readOpenMembers(tx, ids)).map(toEntry)
    if (first === undefined) throw conflict('attention_over')
    const locked = await lockHandlingsOf(tx, [first, ...others])
    const [head, ...rest] = locked.toSorted((a, b) => rank(a, tx) - rank(b, tx))
    if (head === undefined) throw conflict('attention_over')
    return [head, ...rest]
  }

const toEntry = ({ web, fqdn, since }: Awaited<ReturnType<typeof readOpenMembers>>[number]) => ({
  key: { kind: 'web_down' as const, subject: web, since },
  web_id: web,
  subject: fqdn,
})

interface Note {
  readonly note?: string | null | undefined
}

/** @throws DomainError not-found; conflict if it has ended or another user has acknowledged it */
export const acknowledgeIncident = (context: Context, id: number, { note }: Note) =>
  acknowledge(context, entriesOf([id]), { note })

/**
 * Acknowledges those of them that are open and that nobody has acknowledged.
 * @throws DomainError not-found if any of them is; conflict if all have ended or others have acknowledged all
 */
export const acknowledgeIncidents = (context: Context, ids: readonly number[]) =>
  acknowledge(context, entriesOf(ids), {})

/**
 * Withdraws what the acting user has acknowledged last of them, with `acknowledgeIncidents`.
 * @throws DomainError not-found if any of them is; conflict if all have ended
 */
export const undoAcknowledgements = (context: Context, ids: readonly number[]) =>
  withdraw(context, entriesOf(ids, ownFirst), true)

/** @throws DomainError not-found; conflict if it has ended */
export const withdrawIncidentAcknowledgement = (context: Context, id: number) =>
  withdraw(context, entriesOf([id]))

/** @throws DomainError not-found; invalid, for user, if they do not exist or may not see incidents; conflict if it has ended */
export const assignIncident = (
  context: Context,
  id: number,
  { user, note }: Note & { readonly user: number },
) => assign(context, entriesOf([id]), { user, note })

/** @throws DomainError not-found; conflict if it has ended */
export const unassignIncident = (context: Context, id: number) => unassign(context, entriesOf([id]))

/** @throws DomainError not-found; invalid, for until, if it is not ahead; conflict if it has ended */
export const snoozeIncident = (
  context: Context,
  id: number,
  { until, note }: Note & { readonly until: string },
) => snooze(context, entriesOf([id]), { until, note })

/** @throws DomainError not-found; conflict if it has ended */
export const endIncidentSnooze = (context: Context, id: number) => endSnooze(context, entriesOf([id]))
