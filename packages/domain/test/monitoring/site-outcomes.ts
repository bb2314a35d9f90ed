import type { SiteBehaviour } from '@kustos/clients/testing/behaviours'
import type { Transaction } from '@kustos/database/client'
import { alerts, degradations, incidents, webs } from '@kustos/database/tables'
import { isNull } from 'drizzle-orm'

export interface SiteOutcome {
  readonly state: 'up' | 'degraded' | 'down'
  /** The oldest first. */
  readonly incidents: readonly {
    readonly kind: string
    readonly isOpen: boolean
    readonly reason: string | null
    readonly isAnnounced: boolean
    /** About it, to the web's channel. */
    readonly messages: number
  }[]
}

/** What the table of behaviours expects: every incident is announced once, and so is its end. */
export const expectedOutcome = ({ expected: { state, incidents: opened } }: SiteBehaviour): SiteOutcome => ({
  state,
  incidents: opened.map((incident) => ({
    ...incident,
    isAnnounced: true,
    messages: incident.isOpen ? 1 : 2,
  })),
})

/** What monitoring has made of all webs, by host. Each has one channel. */
export async function readOutcomes(db: Transaction): Promise<ReadonlyMap<string, SiteOutcome>> {
  const ofWebs = Map.groupBy(await db.select().from(incidents).orderBy(incidents.id), ({ web_id }) => web_id)
  const open = await db.select().from(degradations).where(isNull(degradations.ended_at))
  const degraded = new Set(open.map(({ web_id }) => web_id))
  const all = await db.select({ id: webs.id, fqdn: webs.fqdn, down_since: webs.down_since }).from(webs)
  const told = Map.groupBy(
    (await db.select({ incidents: alerts.incidents }).from(alerts)).flatMap((alert) => alert.incidents ?? []),
    (id) => id,
  )
  return new Map(
    all.map(({ id, fqdn, down_since }) => [
      fqdn,
      {
        state: down_since !== null ? 'down' : degraded.has(id) ? 'degraded' : 'up',
        incidents: (ofWebs.get(id) ?? []).map(
          ({ id: incident, kind, ended_at, reason_code, alerted_at }) => ({
            kind,
            isOpen: ended_at === null,
            reason: reason_code,
            isAnnounced: alerted_at !== null,
            messages: told.get(incident)?.length ?? 0,
          }),
        ),
      },
    ]),
  )
}
