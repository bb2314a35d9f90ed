import { users } from '@kustos/database/tables'
import { and, eq, isNull } from 'drizzle-orm'
import type { AuditTransaction } from '../platform/audit.ts'

/**
 * Mails how something has ended to the user who asked for it, if they want mails of deployments.
 * @param path of the screen that it links to
 */
export async function mailRequester(
  tx: AuditTransaction,
  requestedBy: number,
  message: Parameters<AuditTransaction['mail']>[1],
  path: string,
): Promise<void> {
  const wantsMail = and(eq(users.deployment_mail_subscription, true), isNull(users.deleted_at))
  const [requester] = await tx.db
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.id, requestedBy), wantsMail))
  if (requester) await tx.mail(requester.email, message, path)
}
