import { type AuditTransaction, type LogEntry, withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'

/** An event that clients can cause at will and that has to be logged. */
export interface ThrottledEvent {
  /** Whose limit it counts against: a user or an address. */
  readonly owner: string
  /** Logged once a minute for each owner. */
  readonly key: string
  entry(tx: AuditTransaction): Promise<LogEntry>
  /** Logged instead, with a count, once the owner has exceeded the limit. */
  readonly beyond: LogEntry
}

export interface AuditThrottle {
  /** Writes the entry, or counts it for the next entry of its key, which is written a minute later at the earliest. */
  note(context: Context, what: ThrottledEvent): Promise<void>
  /** Writes the counts that are older than a minute. @param isLast whether to write the others as well, before the end */
  flushCounts(context: Context, isLast?: boolean): Promise<void>
}

const minute = 60_000
/** Entries per minute of one owner, and of all. The others are counted in one entry. */
const most = { ofOwner: 20, ofAll: 1000 } as const
/** The limit of counted keys, even if nothing can be written for a long time. */
const room = 10_000

interface Held {
  /** When it was last written, or first counted. */
  at: number
  /** How often it has happened since then. */
  untold: number
  /** Null for the entry that counts what exceeds the limits. */
  readonly what: ThrottledEvent | null
  readonly entry: ThrottledEvent['entry']
}

/**
 * Keeps clients from flooding the audit log without losing a count. Counts are kept in this process until they are
 * written.
 * @param beyondAll the entry for everything that exceeds the limit of all owners together
 */
export function createAuditThrottle(beyondAll: LogEntry): AuditThrottle {
  const held = new Map<string, Held>()
  /** The entries of an owner, or of all, in the minute that began at `since`. */
  const spent = new Map<string, { since: number; entries: number }>()
  const all = 'all'

  const isOver = (since: number, at: number) => at - since >= minute

  function hasSpent(account: string, at: number, limit: number): boolean {
    const known = spent.get(account)
    return known !== undefined && !isOver(known.since, at) && known.entries >= limit
  }

  function spend(account: string, at: number): void {
    const known = spent.get(account)
    if (known === undefined || isOver(known.since, at)) spent.set(account, { since: at, entries: 1 })
    else known.entries += 1
  }

  function hold(name: string, fresh: Omit<Held, 'untold'>): Held {
    const place = held.get(name) ?? { ...fresh, untold: 0 }
    held.set(name, place)
    return place
  }

  /** Where an event is counted: on its own, or together with everything that exceeds the limits. */
  function placeOf(what: ThrottledEvent, at: number): Held {
    const account = `of ${what.owner}`
    const name = `${account} ${what.key}`
    const known = held.get(name)
    if (known !== undefined && !isOver(known.at, at)) return known
    if (hasSpent(all, at, most.ofAll) || (known === undefined && held.size >= room))
      return hold(all, { at, what: null, entry: async () => beyondAll })
    if (hasSpent(account, at, most.ofOwner))
      return hold(account, { at, what: null, entry: async () => what.beyond })
    spend(account, at)
    spend(all, at)
    return hold(name, { at: Number.NEGATIVE_INFINITY, what, entry: what.entry })
  }

  async function tell(context: Context, place: Held): Promise<void> {
    const { at, untold: times, entry, what } = place
    place.at = context.now().getTime()
    place.untold = 0
    try {
      await withAudit(context, async (tx) => {
        const told = await entry(tx)
        const isCounted = what === null || times > 1
        await tx.record({ ...told, attributes: { ...told.attributes, ...(isCounted && { times }) } })
      })
    } catch (error) {
      place.at = at
      place.untold += times
      throw error
    }
  }

  return {
    async note(context, what) {
      const at = context.now().getTime()
      const place = placeOf(what, at)
      place.untold += 1
      if (isOver(place.at, at)) await tell(context, place)
    },
    async flushCounts(context, isLast = false) {
      const at = context.now().getTime()
      for (const [name, place] of [...held]) {
        if (!isLast && !isOver(place.at, at)) continue
        const { what, untold } = place
        const now = what === null || untold === 0 ? place : placeOf(what, at)
        if (now !== place) now.untold += untold
        else if (untold > 0) await tell(context, place)
        if (now !== place || untold === 0) held.delete(name)
      }
      for (const [account, { since }] of spent) if (isOver(since, at)) spent.delete(account)
    },
  }
}
