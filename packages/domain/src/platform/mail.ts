import type { Transaction } from '@kustos/database/client'
import { type AlertContent, alerts } from '@kustos/database/tables'

/** The tools for mails to users, which share the outbox of the alerts. */
export interface MailOutbox {
  /** Where users open Kustos in a browser; mails have no link if it is null. */
  readonly publicUrl: string | null
  /** Enqueues the jobs of mails that have just been committed. The sweeper does it later if this fails. */
  enqueue(ids: readonly number[]): Promise<void>
}

/** @returns the id of the mail */
export async function writeMail(
  db: Transaction,
  recipient: string,
  content: AlertContent,
  now: Date,
): Promise<number> {
  const [mail] = await db
    .insert(alerts)
    .values({ channel: 'mail', recipient, content, created_at: now })
    .returning({ id: alerts.id })
  if (!mail) throw new Error('The mail was not inserted')
  return mail.id
}

/** A link to a screen, to be spread into a mail; empty if the public URL is not configured. */
export const linkTo = (publicUrl: string | null, path: string): { readonly url?: string } =>
  publicUrl === null ? {} : { url: publicUrl.replace(/\/+$/, '') + path }
