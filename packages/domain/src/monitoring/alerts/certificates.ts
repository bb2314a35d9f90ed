import { endingStages, stageMs } from '@kustos/contract/certificates'
import type { Transaction } from '@kustos/database/client'
import { certificateWarnings, nodes, webCertificates, webs } from '@kustos/database/tables'
import { and, asc, eq, gte, inArray, lte, ne, not, sql } from 'drizzle-orm'
import { isInMaintenance } from '../../maintenance/index.ts'
import type { Context } from '../../platform/context.ts'
import { isAnyOf } from '../../platform/is-any-of.ts'
import { lockInTransaction } from '../../platform/locks.ts'
import { isOtherCertificate } from '../certificates/same-certificate.ts'
import { dayOf, spanOf } from '../day.ts'
import { monitoredWebs } from '../monitored-webs.ts'
import { toWarningEvent } from './alert-event.ts'
import { type AlertedWeb, alertedWebColumns } from './event.ts'
import { enqueueAlerts } from './jobs.ts'
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
import { addRouted } from './routing.ts'
import type { AlertTools } from './tools.ts'
import { composeWrongNames, takeWrongNames } from './wrong-certificates.ts'

/** The nearest to the end first. */
const stages = endingStages.toReversed()
type Stage = (typeof endingStages)[number]

/** Warnings that come this long before the end wait for the next daily message. */
const dailyMs = 2 * 86_400_000

const dayMs = 86_400_000

interface Due extends ExpiringCertificate {
  /** The nearest stage that it has reached. */
  readonly stage: Stage
  readonly isUrgent: boolean
}

/**
 * Warns of certificates of monitored webs and their names that expire soon (`endingStages`) or have expired, once for each stage
 * and certificate, and of names whose certificate browsers refuse; not while the web is in maintenance. Of several stages that
 * are reached at once only the nearest counts.
 */
export async function warnOfCertificates(
  context: Context,
  tools: AlertTools,
  internalMarker: string,
): Promise<{ readonly warned: number } | null> {
  const now = context.now()
  const { warned, ids } = await context.db.transaction(async (tx) => {
    await lockInTransaction(tx, 'certificates')
    const wrong = await takeWrongNames(tx, internalMarker, now)
    const ending = await withoutWarned(tx, await endingSoon(tx, internalMarker, now))
    const isDue =
      ending.some(({ isUrgent }) => isUrgent) || (ending.length > 0 && !(await hasWarnedToday(tx, now)))
    const due = isDue ? ending : []
    await mark(tx, due, now)
    const messages = [
      ...composeWrongNames(await addRouted(tx, 'certificate', wrong, { ...tools, now }), tools.publicUrl),
      ...composeCertificates(
        await addRouted(tx, 'certificate', due, { ...tools, now }),
        now,
        tools.publicUrl,
      ),
    ]
    return { warned: wrong.length + due.length, ids: await writeAlerts(tx, messages, tools, now) }
  })
  await enqueueAlerts(tools, ids)
  return warned === 0 ? null : { warned }
}

/** A name other than the web's own counts if its certificate is another one, and if it points to the web. */
async function endingSoon(db: Transaction, internalMarker: string, now: Date): Promise<readonly Due[]> {
  const last = new Date(now.getTime() + Math.max(...endingStages.map(({ days }) => days)) * dayMs)
  const columns = { web: alertedWebColumns, node: { id: nodes.id, name: nodes.name } }
  const isWanted = and(monitoredWebs(internalMarker), not(isInMaintenance(sql`${webs.id}`, now)))
  const ofWebs = await db
    .select({ ...columns, authority: webs.cert_ca, from: webs.cert_from, end: webs.cert_expiration })
    .from(webs)
    .leftJoin(nodes, eq(nodes.id, webs.node_id))
    .where(and(isWanted, lte(webs.cert_expiration, last)))
    .orderBy(asc(webs.cert_expiration), asc(webs.id))
  const ofNames = await db
    .select({
      ...columns,
      name: webCertificates.name,
      authority: webCertificates.authority,
      from: webCertificates.valid_from,
      end: webCertificates.valid_to,
    })
    .from(webCertificates)
    .innerJoin(webs, eq(webs.id, webCertificates.web_id))
    .leftJoin(nodes, eq(nodes.id, webs.node_id))
    .where(and(isWanted, isOfOtherName, lte(webCertificates.valid_to, last)))
    .orderBy(asc(webCertificates.valid_to), asc(webs.id), asc(webCertificates.name))
  return [...ofWebs.map((row) => ({ ...row, name: '' })), ...ofNames].flatMap(
    ({ end, from, authority, web, node, name }) => {
      if (end === null) return []
      const left = end.getTime() - now.getTime()
      const lifetime = from === null ? null : end.getTime() - from.getTime()
      const stage = stages.find((each) => left <= stageMs(each, lifetime))
      if (stage === undefined) return []
      const isUrgent = stageMs(stage, lifetime) < dailyMs
      return [{ web: { ...web, node }, name, authority, end, stage, isUrgent }]
    },
  )
}

/** Whether a certificate is not that of the web's own name, and not one that is announced as wrong. */
const isOfOtherName = and(
  ne(webCertificates.kind, 'main'),
  inArray(webCertificates.state, ['valid', 'expired']),
  isOtherCertificate(sql`${webCertificates.web_id}`, sql`${webCertificates.valid_to}`),
)

async function withoutWarned(db: Transaction, due: readonly Due[]): Promise<readonly Due[]> {
  if (due.length === 0) return []
  const warnings = await db
    .select()
    .from(certificateWarnings)
    .where(
      isAnyOf(
        certificateWarnings.web_id,
        due.map(({ web }) => web.id),
      ),
    )
  const key = (web: number, name: string, end: Date, days: number) =>
    `${web} ${name} ${end.getTime()} ${days}`
  const known = new Set(warnings.map((row) => key(row.web_id, row.name, row.cert_expiration, row.days)))
  return due.filter(({ web, name, end, stage }) => !known.has(key(web.id, name, end, stage.days)))
}

async function hasWarnedToday(db: Transaction, now: Date): Promise<boolean> {
  const [warnings] = await db
    .select({ days: certificateWarnings.days })
    .from(certificateWarnings)
    .where(gte(certificateWarnings.warned_at, new Date(spanOf(dayOf(now)).from)))
    .limit(1)
  return warnings !== undefined
}

/** Also marks the stages that are reached already. */
async function mark(db: Transaction, due: readonly Due[], now: Date): Promise<void> {
  const rows = due.flatMap(({ web, name, end, stage }) =>
    endingStages
      .filter(({ days }) => days >= stage.days)
      .map(({ days }) => ({ web_id: web.id, name, cert_expiration: end, days })),
  )
  if (rows.length === 0) return
  // As arrays, since a statement takes 65,535 parameters at most.
  await db.execute(sql`
    insert into ${certificateWarnings} (web_id, name, cert_expiration, days, warned_at)
    select *, ${now.toISOString()}::timestamptz from unnest(
      ${sql.param(rows.map((row) => row.web_id))}::int[],
      ${sql.param(rows.map((row) => row.name))}::text[],
      ${sql.param(rows.map((row) => row.cert_expiration.toISOString()))}::timestamptz[],
      ${sql.param(rows.map((row) => row.days))}::int[])
    on conflict do nothing`)
}

export interface ExpiringCertificate {
  readonly web: AlertedWeb
  /** Empty for the web's own. */
  readonly name: string
  readonly authority: string | null
  readonly end: Date
}

const nameOf = ({ name, web }: ExpiringCertificate) => (name === '' ? web.fqdn : name)

export function composeCertificates(
  endings: readonly ExpiringCertificate[],
  now: Date,
  publicUrl: string | null,
): readonly ComposedAlert[] {
  const links = linksTo(publicUrl)
  const left = ({ end }: ExpiringCertificate) => Math.floor((end.getTime() - now.getTime()) / 1000)
  const hasEnded = (one: ExpiringCertificate) => left(one) <= 0
  const when = (one: ExpiringCertificate) =>
    hasEnded(one) ? 'has expired' : `expires in ${formatDuration(left(one))}`
  const titleOf = (one: ExpiringCertificate) => `The certificate of ${nameOf(one)} ${when(one)}`
  const eventOf = (some: readonly ExpiringCertificate[]) =>
    toWarningEvent(
      'certificate',
      some.some(hasEnded) ? 'critical' : 'warning',
      some.map((one) => ({ kind: 'certificate', id: one.web.id, name: nameOf(one), title: titleOf(one) })),
    )
  if (endings.length < minListed)
    return endings.map((one) => ({
      event: eventOf([one]),
      ...toComposedAlert([one.web], {
        title: titleOf(one),
        lines: [
          ...(one.name === '' ? [] : [`Web: ${one.web.fqdn}`]),
          ...webDetails(one.web),
          `End: ${formatMoment(one.end)}`,
          ...(one.authority === null ? [] : [`Issued by: ${one.authority}`]),
        ],
        ...links.web(one.web),
      }),
    }))
  const ended = endings.filter(hasEnded).length
  const soon = endings.length - ended
  return [
    {
      event: eventOf(endings),
      ...toComposedAlert(
        endings.map(({ web }) => web),
        {
          title: [
            ...(ended > 0 ? [`Expired certificates: ${ended}`] : []),
            ...(soon > 0 ? [`${ended > 0 ? 'expiring' : 'Certificates that expire'} soon: ${soon}`] : []),
          ].join('; '),
          lines: truncateList(
            endings.map(
              (one) => `${nameOf(one)} (${one.web.customer}): ${formatMoment(one.end)}, ${when(one)}`,
            ),
          ),
          ...links.list,
        },
      ),
    },
  ]
}
