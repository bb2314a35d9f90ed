import { harmlessActions } from '@kustos/contract/deployment'
import type { Transaction } from '@kustos/database/client'
import { type AlertEvent, degradations, deployments, incidents, nodes, webs } from '@kustos/database/tables'
import { and, eq, isNotNull, isNull, not, notInArray, type SQL, sql } from 'drizzle-orm'
import type { StoredTargets } from '../../alert-routes/index.ts'
import { loadChecks } from '../../checks/index.ts'
import { isInMaintenance } from '../../maintenance/index.ts'
import { isAnyOf } from '../../platform/is-any-of.ts'
import { toWarningEvent } from './alert-event.ts'
import { type AlertedWeb, alertedWebColumns } from './event.ts'
import {
  type ComposedAlert,
  formatDuration,
  formatMoment,
  linksTo,
  minListed,
  toComposedAlert,
  truncateList,
  webDetails,
} from './message-parts.ts'
import { writeAlerts } from './outbox.ts'
import { addRouted, addStored } from './routing.ts'
import type { AlertSettings } from './tools.ts'

/**
 * Writes alerts of webs that are degraded, as far as their checks ask for them, and of those announced ones that are well again.
 * A web that is down, in maintenance or under a deployment waits.
 * @param ended ids of the degradations that the round has ended
 * @returns the ids of the alerts, as `announce` does
 */
export async function announceDegradations(
  tx: Transaction,
  ended: readonly number[],
  { now, ...settings }: AlertSettings & { readonly now: Date },
): Promise<readonly number[]> {
  const open = await readDegradations(
    tx,
    and(isNull(degradations.ended_at), isNull(degradations.alerted_at), isAnnounceable(tx, now)),
  )
  const checks =
    open.length === 0
      ? new Map()
      : await loadChecks(
          tx,
          open.map(({ web }) => web.id),
          null,
        )
  const begun = open.filter(({ web }) => checks.get(web.id)?.alertsDegraded === true)
  const resolved =
    ended.length === 0
      ? []
      : await readDegradations(tx, and(isAnyOf(degradations.id, ended), isNotNull(degradations.alerted_at)))
  const routed = await addRouted(tx, 'degraded', begun, { ...settings, now })
  // Thousands of webs may be degraded at once, and routes notify the same people of most of them.
  for (const [first, ...others] of Map.groupBy(routed, ({ stored }) => JSON.stringify(stored)).values())
    if (first !== undefined)
      await tx
        .update(degradations)
        .set({ alerted_at: now, ...first.stored })
        .where(
          isAnyOf(
            degradations.id,
            [first, ...others].map(({ id }) => id),
          ),
        )
  const messages = composeDegradations(routed, await addStored(tx, resolved), settings.publicUrl)
  return writeAlerts(tx, messages, settings, now)
}

const isAnnounceable = (tx: Transaction, now: Date): SQL | undefined =>
  and(
    not(isInMaintenance(sql`${degradations.web_id}`, now)),
    sql`not exists ${tx
      .select({ id: incidents.id })
      .from(incidents)
      .where(and(eq(incidents.web_id, degradations.web_id), isNull(incidents.ended_at)))}`,
    sql`not exists ${tx
      .select({ id: deployments.id })
      .from(deployments)
      .where(
        and(
          eq(deployments.web_id, degradations.web_id),
          eq(deployments.state, 'running'),
          notInArray(deployments.kind, [...harmlessActions]),
        ),
      )}`,
  )

async function readDegradations(tx: Transaction, which: SQL | undefined): Promise<Degradation[]> {
  const rows = await tx
    .select({ degradation: degradations, web: alertedWebColumns, node: { id: nodes.id, name: nodes.name } })
    .from(degradations)
    .innerJoin(webs, eq(webs.id, degradations.web_id))
    .leftJoin(nodes, eq(nodes.id, webs.node_id))
    .where(which)
    .orderBy(degradations.id)
  return rows.map(({ degradation: { started_at, ended_at, reason, ...row }, web, node }) => ({
    ...row,
    web: { ...web, node },
    startedAt: started_at,
    endedAt: ended_at,
    reason: reason ?? '',
  }))
}

interface Degradation extends StoredTargets {
  readonly id: number
  readonly web: AlertedWeb
  readonly startedAt: Date
  readonly endedAt: Date | null
  readonly reason: string
}

function composeDegradations(
  begun: readonly Degradation[],
  resolved: readonly Degradation[],
  publicUrl: string | null,
): readonly ComposedAlert[] {
  const links = linksTo(publicUrl)
  const compose = (
    all: readonly Degradation[],
    { type, severity }: Pick<AlertEvent, 'type' | 'severity'>,
    title: string,
    single: (one: Degradation) => { readonly title: string; readonly line: string },
  ): readonly ComposedAlert[] => {
    const eventOf = (some: readonly Degradation[]) =>
      toWarningEvent(
        type,
        severity,
        some.map((one) => ({ kind: 'degradation', id: one.id, name: null, title: single(one).title })),
      )
    if (all.length < minListed)
      return all.map((one) => ({
        event: eventOf([one]),
        ...toComposedAlert([one.web], {
          title: single(one).title,
          lines: [...webDetails(one.web), single(one).line],
          ...links.web(one.web),
        }),
      }))
    const list = {
      title: `${title}: ${all.length} websites`,
      lines: truncateList(all.map(({ web, reason }) => `${web.fqdn} (${web.customer}): ${reason}`)),
      ...links.list,
    }
    const webs = all.map(({ web }) => web)
    return [{ event: eventOf(all), ...toComposedAlert(webs, list) }]
  }
  return [
    ...compose(begun, { type: 'degraded', severity: 'warning' }, 'Degraded', (one) => ({
      title: `${one.web.fqdn} is degraded: ${one.reason}`,
      line: `Since: ${formatMoment(one.startedAt)}`,
    })),
    ...compose(resolved, { type: 'recovered', severity: 'info' }, 'No longer degraded', (one) => ({
      title: `${one.web.fqdn} is no longer degraded after ${lasted(one)}`,
      line: `Reason: ${one.reason}`,
    })),
  ]
}

const lasted = ({ startedAt, endedAt }: Degradation) =>
  formatDuration(Math.floor(((endedAt ?? startedAt).getTime() - startedAt.getTime()) / 1000))
