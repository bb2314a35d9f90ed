import type { Transaction } from '@kustos/database/client'
import { degradations, incidents, webs } from '@kustos/database/tables'
import { isNull } from 'drizzle-orm'

export interface SiteOutcome {
  readonly state: 'up' | 'degraded' | 'down'
  /** The oldest first. */
  readonly incidents: readonly {
    readonly kind: string
    readonly isOpen: boolean
    readonly reason: string | null
    readonly isAnnounced: boolean
  }[]
}

/** What monitoring has made of all webs, by host, in the form of `Expected` in the table of behaviours. */
export async function readOutcomes(db: Transaction): Promise<ReadonlyMap<string, SiteOutcome>> {
  const ofWebs = Map.groupBy(await db.select().from(incidents).orderBy(incidents.id), ({ web_id }) => web_id)
  const open = await db.select().from(degradations).where(isNull(degradations.ended_at))
  const degraded = new Set(open.map(({ web_id }) => web_id))
  const all = await db.select({ id: webs.id, fqdn: webs.fqdn, down_since: webs.down_since }).from(webs)
  return new Map(
    all.map(({ id, fqdn, down_since }) => [
      fqdn,
      {
        state: down_since !== null ? 'down' : degraded.has(id) ? 'degraded' : 'up',
        incidents: (ofWebs.get(id) ?? []).map(({ kind, ended_at, reason_code, alerted_at }) => ({
          kind,
          isOpen: ended_at === null,
          reason: reason_code,
          isAnnounced: alerted_at !== null,
        })),
      },
    ]),
  )
}
