import { type Change, change, type LogEntry } from '../audit.ts'
import type { Context } from '../context.ts'

/** Something that anybody may cause as often as they like, and that the log is to know of. */
export interface Repeatable {
  /** On whose account it goes: a user, an address. */
  readonly owner: string
  /** What is told once a minute. */
  readonly key: string
  entry(inside: Change): Promise<LogEntry>
  /** What stands in its place, with a count, where its owner has caused too much else. */
  readonly beyond: LogEntry
}

export interface Sparing {
  /** Writes the entry, or counts it: into the next one of its key, which comes a minute later at the earliest. */
  note(context: Context, what: Repeatable): Promise<void>
  /** Writes what was counted a minute ago or longer. @param isLast whether younger ones are told too: no later call comes */
  tellCounted(context: Context, isLast?: boolean): Promise<void>
}

const minute = 60_000
/** Entries of one owner, and of all, that a minute may bring before the rest is counted in one. */
const most = { ofOwner: 20, ofAll: 1000 } as const
/** Of kinds that are remembered: also where none can be written for long. */
const room = 10_000

interface Held {
  /** When it was written last, or began to be counted. */
  at: number
  /** How often it has happened since. */
  untold: number
  /** What it counts; null where it stands for what goes beyond. */
  readonly what: Repeatable | null
  readonly entry: Repeatable['entry']
}

/**
 * Keeps what a client can repeat at will from flooding the log, and loses no count of it. What was counted is this
 * process's own, until it is told.
 * @param beyondAll what stands for everything that goes beyond what all owners together may write
 */
export function openSparing(beyondAll: LogEntry): Sparing {
  const held = new Map<string, Held>()
  /** How many entries an owner, or all, have written in the minute that began then. */
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

  /** Where it counts: on its own, which is to be written where that is due, or with what goes beyond. */
  function placeOf(what: Repeatable, at: number): Held {
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
      await change(context, async (inside) => {
        const told = await entry(inside)
        const isCounted = what === null || times > 1
        await inside.record({ ...told, attributes: { ...told.attributes, ...(isCounted && { times }) } })
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
    async tellCounted(context, isLast = false) {
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
