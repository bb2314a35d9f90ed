import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenDatabase } from '@kustos/database/client'
import { sql } from 'drizzle-orm'

/** Recovery times by program and signal. */
export interface RecoveryTimes {
  record(what: string, milliseconds: number): void
  lines(): readonly string[]
  longestMs(): number
}

export function createRecoveryTimes(): RecoveryTimes {
  const times = new Map<string, number[]>()
  return {
    record: (what, milliseconds) => void times.set(what, [...(times.get(what) ?? []), milliseconds]),
    lines: () =>
      [...times]
        .toSorted(([a], [b]) => a.localeCompare(b))
        .map(([what, all]) => {
          const sorted = all.toSorted((a, b) => a - b)
          const [median = 0, longest = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
          return `${what.padEnd(24)} ${String(all.length).padStart(4)} times, served again after ${formatSeconds(median)}, at most ${formatSeconds(longest)}`
        }),
    longestMs: () => Math.max(0, ...[...times.values()].flat()),
  }
}

export const formatSeconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`

/** Polls for running deployments with an expired lease, and keeps the longest time that one stayed so. */
export function watchExpiredLeases({ db }: Pick<OpenDatabase, 'db'>) {
  const since = new Map<string, number>()
  const longest = { milliseconds: 0, what: '' }
  let isOn = true
  const polling = (async () => {
    while (isOn) {
      await poll().catch(() => undefined)
      await sleep(250)
    }
  })()
  async function poll() {
    const { rows } = await db.execute<{ what: string }>(sql`
      select 'deployment ' || id as what from deployments
        where state = 'running' and held_until < clock_timestamp()`)
    const found = new Set(rows.map(({ what }) => what))
    const now = Date.now()
    for (const what of found) {
      const from = since.get(what) ?? now
      since.set(what, from)
      if (now - from > longest.milliseconds) Object.assign(longest, { milliseconds: now - from, what })
    }
    for (const what of since.keys()) if (!found.has(what)) since.delete(what)
  }
  return {
    longest,
    async stop() {
      isOn = false
      await polling
    },
  }
}
