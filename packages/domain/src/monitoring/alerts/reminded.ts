import type { Transaction } from '@kustos/database/client'
import { attentionHandling, incidents } from '@kustos/database/tables'
import { and, eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { isAcknowledgedAt, isHandledAt } from '../../platform/handling-state.ts'
import { isAnyOf } from '../../platform/is-any-of.ts'
import { type Responder, readResponders } from '../../rotas/index.ts'
import type { IncidentOpened } from './event.ts'
import { addNotified } from './routing.ts'

/** An incident that lasts. */
export interface Reminded extends IncidentOpened {
  /** The name of the user who has it; null if nobody has acknowledged or snoozed it. */
  readonly handledBy: string | null
}

/**
 * Adds those who are reminded: everyone whom routes have notified, but of incidents that somebody has acknowledged or snoozed only
 * their channels and the assignee.
 */
export async function addReminded(
  db: Transaction,
  open: readonly IncidentOpened[],
  now: Date,
): Promise<readonly Reminded[]> {
  const notified = await addNotified(db, open)
  const handling = await readHandling(
    db,
    open.map(({ incident }) => incident),
    now,
  )
  const responders: ReadonlyMap<number | null, Responder> =
    handling.size === 0 ? new Map() : await readResponders(db)
  return notified.map((one) => {
    const handled = handling.get(one.incident)
    if (handled === undefined) return { ...one, handledBy: null }
    const assignee = responders.get(handled.assignee)
    const { replacesChannels = false, channels = [] } = one.web.routed ?? {}
    const mails = assignee === undefined ? [] : [assignee.email]
    return {
      ...one,
      web: { ...one.web, routed: { replacesChannels, channels, mails } },
      handledBy: (assignee ?? responders.get(handled.handler))?.name ?? null,
    }
  })
}

/** The users who have acknowledged or snoozed incidents and who have them, by the incident's id. */
async function readHandling(db: Transaction, ids: readonly number[], now: Date) {
  const h = alias(attentionHandling, 'h')
  const rows = await db
    .select({
      incident: incidents.id,
      assignee: h.assigned_to,
      handler: sql<
        number | null
      >`case when ${isAcknowledgedAt(now)} then ${h.acknowledged_by} else ${h.snoozed_by} end`,
    })
    .from(incidents)
    .innerJoin(
      h,
      and(
        eq(h.kind, 'web_down'),
        eq(h.subject_id, incidents.web_id),
        eq(h.since, incidents.started_at),
        isHandledAt(now),
      ),
    )
    .where(isAnyOf(incidents.id, ids))
  return new Map(rows.map((row) => [row.incident, row]))
}
