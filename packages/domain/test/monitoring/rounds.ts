import { openQueues } from '@kustos/clients/queue'
import { queues } from '@kustos/contract/queue'
import { nodes, probeRounds, statistics, transientFailure, webs } from '@kustos/database/tables'
import type { TestDatabase } from '@kustos/database/testing'
import { afterAll } from 'vitest'
import { dayOf } from '../../src/monitoring/day.ts'
import { ensurePartition } from '../../src/monitoring/partitions.ts'
import { type Context, createContext } from '../../src/platform/context.ts'
import { webRow } from '../web-row.ts'

export const settings = { intervalSeconds: 60, internalMarker: '.intern.' }

/** The outcome of a probe. */
export type Seen = 'up' | 'degraded' | 'down' | 'unconfirmed' | typeof transientFailure | 'unknown'

/** Returns functions that add webs and rounds to a database as workers would. */
export async function openRounds(database: TestDatabase) {
  const { db } = database
  const open = await openQueues({ databaseUrl: database.url, onError: () => undefined }, queues)
  afterAll(() => open.close())
  const alerts = {
    channels: { slack: null, telegram: null, mail: null },
    mailTo: [],
    publicUrl: null,
    queues: open,
    onError: (error: Error) => {
      throw error
    },
  }

  return {
    alerts,
    queues: open,
    /** A context whose clock shows this time. */
    at: (now: string): Context => createContext(database, null, () => new Date(now)),
    async addNode(name: string): Promise<number> {
      const [row] = await db.insert(nodes).values({ name, plesk_fqdn: name }).returning()
      if (!row) throw new Error('The node was not stored')
      return row.id
    },
    /** @returns their ids */
    async addWebs(...names: readonly string[]): Promise<number[]> {
      const rows = await db
        .insert(webs)
        .values(names.map((fqdn) => monitoredWeb(fqdn)))
        .returning({ id: webs.id })
      return rows.map(({ id }) => id)
    },
    /** @param seen outcomes by web id, optionally with the second of the round at which the web was probed */
    async addRound(
      at: string,
      seen: Readonly<Record<number, Seen | readonly [Seen, number]>>,
    ): Promise<void> {
      const roundAt = new Date(at)
      await ensurePartition(db, dayOf(roundAt))
      await db.insert(probeRounds).values({ round_at: roundAt, interval_seconds: 60, shards: 1 })
      const rows = Object.entries(seen).map(([web, what]) => {
        const [outcome, second] = typeof what === 'string' ? ([what, 0] as const) : what
        return {
          web_id: Number(web),
          round_at: roundAt,
          created_at: new Date(roundAt.getTime() + second * 1000),
          status: outcome === 'up' || outcome === transientFailure ? 200 : outcome === 'degraded' ? 401 : 503,
          response_ms: 40 + second,
          outcome,
        }
      })
      if (rows.length > 0) await db.insert(statistics).values(rows)
    },
  }
}

export const monitoredWeb = (fqdn: string, more: Partial<typeof webs.$inferInsert> = {}) =>
  webRow(fqdn, { status: 0, domain_status: 1, ...more })
