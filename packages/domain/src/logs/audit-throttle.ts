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
  readonly overLimit: LogEntry
}

const minuteMs = 60_000
/** Entries per minute of one owner, and of all. The others are counted in one entry. */
const limits = { ofOwner: 20, ofAll: 1000 } as const
/** The limit of counted keys, even if nothing can be written for a long time. */
const maxCountedKeys = 10_000

interface Pending {
  /** When it was last written, or first counted. */
  at: number
  /** How often it has happened since then. */
  unwritten: number
  /** Null if the entry counts what exceeds the limits. */
  readonly what: ThrottledEvent | null
  readonly entry: ThrottledEvent['entry']
}

/**
 * Keeps clients from flooding the audit log without losing a count. Counts are kept in this process until they are
 * written.
 * @param overTotalLimit the entry for everything that exceeds the limit of all owners together
 */
export function createAuditThrottle(overTotalLimit: LogEntry) {
  const pending = new Map<string, Pending>()
  /** The entries of an owner, or of all, in the minute that began at `since`. */
  const entriesOf = new Map<string, { since: number; entries: number }>()
  const all = 'all'

  const hasPassed = (since: number, at: number) => at - since >= minuteMs

  function isAtLimit(account: string, at: number, limit: number): boolean {
    const known = entriesOf.get(account)
    return known !== undefined && !hasPassed(known.since, at) && known.entries >= limit
  }

  function countEntry(account: string, at: number): void {
    const known = entriesOf.get(account)
    if (known === undefined || hasPassed(known.since, at)) entriesOf.set(account, { since: at, entries: 1 })
    else known.entries += 1
  }

  function hold(name: string, fresh: Omit<Pending, 'unwritten'>): Pending {
    const place = pending.get(name) ?? { ...fresh, unwritten: 0 }
    pending.set(name, place)
    return place
  }

  /** Where an event is counted: on its own, or together with everything that exceeds the limits. */
  function findOrAddPending(what: ThrottledEvent, at: number): Pending {
    const account = `of ${what.owner}`
    const name = `${account} ${what.key}`
    const known = pending.get(name)
    if (known !== undefined && !hasPassed(known.at, at)) return known
    if (isAtLimit(all, at, limits.ofAll) || (known === undefined && pending.size >= maxCountedKeys))
      return hold(all, { at, what: null, entry: async () => overTotalLimit })
    if (isAtLimit(account, at, limits.ofOwner))
      return hold(account, { at, what: null, entry: async () => what.overLimit })
    countEntry(account, at)
    countEntry(all, at)
    return hold(name, { at: Number.NEGATIVE_INFINITY, what, entry: what.entry })
  }

  async function writeEntry(context: Context, place: Pending): Promise<void> {
    const { at, unwritten: times, entry, what } = place
    place.at = context.now().getTime()
    place.unwritten = 0
    try {
      await withAudit(context, async (tx) => {
        const recorded = await entry(tx)
        const isCounted = what === null || times > 1
        await tx.record({ ...recorded, attributes: { ...recorded.attributes, ...(isCounted && { times }) } })
      })
    } catch (error) {
      place.at = at
      place.unwritten += times
      throw error
    }
  }

  return {
    /** Writes the entry, or counts it for the next entry of its key, which is written a minute later at the earliest. */
    async record(context: Context, what: ThrottledEvent): Promise<void> {
      const at = context.now().getTime()
      const place = findOrAddPending(what, at)
      place.unwritten += 1
      if (hasPassed(place.at, at)) await writeEntry(context, place)
    },
    /** Writes the counts that are older than a minute. @param isLast whether to write the others as well, before the end */
    async flushCounts(context: Context, isLast = false): Promise<void> {
      const at = context.now().getTime()
      const flush = async (name: string, place: Pending) => {
        if (!isLast && !hasPassed(place.at, at)) return
        const { what, unwritten } = place
        const now = what === null || unwritten === 0 ? place : findOrAddPending(what, at)
        if (now !== place) now.unwritten += unwritten
        else if (unwritten > 0) await writeEntry(context, place)
        if (now !== place || unwritten === 0) pending.delete(name)
      }
      // What exceeds the limits comes last, since the counts of others are added to it.
      const exceeds = ({ what }: Pending) => what === null
      for (const [name, place] of [...pending]) if (!exceeds(place)) await flush(name, place)
      for (const [name, place] of [...pending]) if (exceeds(place)) await flush(name, place)
      for (const [account, { since }] of entriesOf) if (hasPassed(since, at)) entriesOf.delete(account)
    },
  }
}
