import type { Transaction } from '@kustos/database/client'
import { alertChannels, channelIncidents, channelOpenings, channelWarnings } from '@kustos/database/tables'
import { eq, isNull, or, sql } from 'drizzle-orm'
import type { AuditTransaction } from '../platform/audit.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { openSecrets, sealSecrets } from './secrets.ts'

type Channel = typeof alertChannels.$inferSelect

// Alerts that a channel has opened at PagerDuty can be resolved with its key only. So if the channel is deleted or gets another one,
// they are left to a hidden channel with that key until they are resolved.

/** A condition on channels that leaves out such former ones. */
export const isInUse = or(eq(alertChannels.origin, 'configuration'), isNull(alertChannels.missing_since))

export const isFormer = ({ origin, missing_since }: Channel): boolean =>
  origin === 'console' && missing_since !== null

const opened = [channelIncidents, channelOpenings, channelWarnings] as const

/** Whether PagerDuty may have open alerts of a channel. */
export async function hasOpened(db: Transaction, id: number): Promise<boolean> {
  for (const table of opened) if ((await db.$count(table, eq(table.channel_id, id))) > 0) return true
  return false
}

/** Leaves what a channel has opened to a former one, unless its key can no longer be read. The channel has to be locked. */
export async function leaveOpened(tx: AuditTransaction, box: SecretBox | null, row: Channel): Promise<void> {
  const secrets = openSecrets(box, row)
  if (secrets === null || !(await hasOpened(tx.db, row.id))) return
  const now = tx.now()
  const { name, kind, settings } = row
  const [former] = await tx.db
    .insert(alertChannels)
    .values({
      // Other channels may have the name.
      name: `${name} (${now.toISOString()})`,
      kind,
      settings,
      missing_since: now,
      created_at: now,
      updated_at: now,
    })
    .returning({ id: alertChannels.id })
  if (!former) throw new Error('The former channel was not inserted')
  await tx.db
    .update(alertChannels)
    .set({ secrets: sealSecrets(box, former.id, secrets, 'key') })
    .where(eq(alertChannels.id, former.id))
  for (const table of opened)
    await tx.db.execute(sql`update ${table} set channel_id = ${former.id} where channel_id = ${row.id}`)
}
