import { alertChannelStates, alerts, rotaOverrides, rotas, users } from '@kustos/database/tables'
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { readOtherRefusal } from '../../alert-channels/index.ts'
import type { Context } from '../../platform/context.ts'
import { isToSend } from './delivery-stream.ts'
import { listSubscribers } from './outbox.ts'
import type { AlertSettings } from './tools.ts'

/**
 * Ends the refusals of mailboxes that get no alerts any more, such as that of a user who was deleted or has unsubscribed: nothing that
 * is sent later would end them.
 */
export async function endFormerRefusals(
  { db }: Pick<Context, 'db'>,
  { mailTo }: Pick<AlertSettings, 'mailTo'>,
): Promise<{ readonly ended: number } | null> {
  const refused = await db
    .select({
      id: alertChannelStates.channel_id,
      recipient: alertChannelStates.refused_recipient,
      since: alertChannelStates.refusing_since,
    })
    .from(alertChannelStates)
    .where(and(isNotNull(alertChannelStates.refusing_since), isNotNull(alertChannelStates.refused_recipient)))
  if (refused.length === 0) return null
  const waiting = await db.selectDistinct({ recipient: alerts.recipient }).from(alerts).where(isToSend)
  const onCall = await db
    .select({ email: users.email })
    .from(users)
    .where(
      and(
        isNull(users.deleted_at),
        sql`(exists (select from ${rotas} r where ${users.id} = any(r.user_ids))
          or exists (select from ${rotaOverrides} o where o.user_id = ${users.id}))`,
      ),
    )
  const addresses = [
    ...mailTo,
    ...waiting.flatMap(({ recipient }) => recipient ?? []),
    ...[...(await listSubscribers(db)), ...onCall].map(({ email }) => email),
  ]
  const current = new Set(addresses.map((address) => address.toLowerCase()))
  const former = refused.filter(({ recipient }) => !current.has(recipient?.toLowerCase() ?? ''))
  if (former.length === 0) return null
  let ended = 0
  for (const { id, recipient, since } of former) {
    if (since === null || recipient === null) continue
    const mailbox = { channel: 'mail', channel_id: null, recipient }
    const { rowCount } = await db
      .update(alertChannelStates)
      .set(await readOtherRefusal(db, mailbox, since))
      .where(
        and(
          eq(alertChannelStates.channel_id, id),
          // Another refusal may have been stored since.
          eq(alertChannelStates.refusing_since, since),
          eq(alertChannelStates.refused_recipient, recipient),
        ),
      )
    ended += rowCount ?? 0
  }
  return ended === 0 ? null : { ended }
}
