import { viewPath } from '@kustos/contract/views'
import { viewEvaluations, viewRows, viewSubscriptions, views } from '@kustos/database/tables'
import { and, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { Temporal } from 'temporal-polyfill'
import { type AuditTransaction, withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import type { GridScope } from './grids.ts'
import { countEntered } from './mail-texts.ts'
import { evaluationKeyOf, lockSubscriber } from './subscribers.ts'

/** In Europe/Rome. */
const mailHour = 7

/** When the daily mails were last due. */
export function lastMailTime(now: Date): Date {
  const time = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO('Europe/Rome')
  const today = time.withPlainTime({ hour: mailHour })
  const due = Temporal.ZonedDateTime.compare(today, time) > 0 ? today.subtract({ days: 1 }) : today
  return new Date(due.epochMilliseconds)
}

const isDaily = eq(viewSubscriptions.delivery, 'daily')
const hasNews = gt(viewSubscriptions.entered_at, viewSubscriptions.mailed_until)

/**
 * Writes each user one mail about all views whose rows are mailed daily, once a day.
 * @returns the number of mails
 */
export async function mailDigests(context: Context, gridScope: GridScope): Promise<number> {
  const isDue = and(isDaily, lt(viewSubscriptions.mailed_until, lastMailTime(context.now())))
  const users = await context.db
    .selectDistinct({ id: viewSubscriptions.user_id })
    .from(viewSubscriptions)
    .where(and(isDue, hasNews))
  let mails = 0
  for (const { id } of users) mails += await mailDigest(context, gridScope, id, isDue)
  // The next mail of the others is a day later, too.
  await withAudit(context, (tx) => {
    tx.skipAudit()
    const hasNone = or(isNull(viewSubscriptions.entered_at), sql`not ${hasNews}`)
    return tx.db.update(viewSubscriptions).set({ mailed_until: tx.now() }).where(and(isDue, hasNone))
  })
  return mails
}

const mailDigest = (
  context: Context,
  gridScope: GridScope,
  userId: number,
  isDue: ReturnType<typeof and>,
): Promise<number> =>
  withAudit(context, async (tx) => {
    tx.skipAudit()
    const user = await lockSubscriber(tx.db, userId)
    const due = await tx.db
      .select({ subscription: viewSubscriptions, view: views, evaluation: viewEvaluations })
      .from(viewSubscriptions)
      .innerJoin(views, eq(views.id, viewSubscriptions.view_id))
      .innerJoin(viewEvaluations, eq(viewEvaluations.id, viewSubscriptions.evaluation_id))
      .where(and(eq(viewSubscriptions.user_id, userId), isDue, hasNews))
      .orderBy(sql`lower(${views.name})`)
      .for('update', { of: viewSubscriptions })
    if (user === null || due.length === 0) return 0
    const lines: string[] = []
    let total = 0
    for (const { subscription, view, evaluation } of due) {
      const key = evaluationKeyOf(user, view, subscription, gridScope)
      // The user may no longer see these rows.
      if (key?.scope !== evaluation.scope) continue
      const { count, names } = await readEntered(tx, evaluation.id, subscription.mailed_until)
      if (count === 0) continue
      total += count
      const rest = count - names.length
      const more = rest > 0 ? ` and ${rest.toLocaleString('en')} more` : ''
      lines.push(`${countEntered(view, count)}: ${names.join(', ')}${more}`)
    }
    const ids = due.map(({ subscription }) => subscription.id)
    await tx.db
      .update(viewSubscriptions)
      .set({ mailed_until: tx.now() })
      .where(inArray(viewSubscriptions.id, ids))
    const [only] = due
    if (lines.length === 0 || only === undefined) return 0
    const title = `Your views: ${total.toLocaleString('en')} new since yesterday`
    await tx.mail(user.email, { title, lines }, due.length === 1 ? viewPath(only.view) : '/')
    return 1
  })

const maxNames = 10

async function readEntered({ db }: AuditTransaction, evaluation: number, since: Date | null) {
  const rows = await db
    .select({ name: viewRows.name, count: sql<number>`count(*) over ()::int` })
    .from(viewRows)
    .where(
      and(
        eq(viewRows.evaluation_id, evaluation),
        since === null ? undefined : gt(viewRows.entered_at, since),
      ),
    )
    .orderBy(sql`${viewRows.entered_at} desc`, viewRows.name)
    .limit(maxNames)
  return { count: rows[0]?.count ?? 0, names: rows.map(({ name }) => name) }
}
