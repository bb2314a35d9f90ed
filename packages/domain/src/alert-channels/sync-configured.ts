import { configurationSuffix } from '@kustos/contract/alert-channels'
import { type ReportingChannel, reportingChannels } from '@kustos/contract/webs'
import { alertChannels } from '@kustos/database/tables'
import { and, eq } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'

const names: Readonly<Record<ReportingChannel, string>> = {
  slack: 'Slack',
  mail: 'E-Mail',
  telegram: 'Telegram',
}

/**
 * Keeps a row for each channel of the configuration, so that the console shows and tests them, and routes can name them. No user has
 * caused that, so it is not in the audit log.
 * @param isConfigured whether this process has its variables
 */
export async function syncConfiguredChannels(
  { db, now }: Pick<Context, 'db' | 'now'>,
  isConfigured: (channel: ReportingChannel) => boolean,
): Promise<{ readonly channels: number } | null> {
  const rows = await db
    .select({ kind: alertChannels.kind, missing_since: alertChannels.missing_since })
    .from(alertChannels)
    .where(eq(alertChannels.origin, 'configuration'))
  let changed = 0
  for (const kind of reportingChannels) {
    const row = rows.find((one) => one.kind === kind)
    const isStored = row !== undefined && row.missing_since === null
    if (isStored === isConfigured(kind) || (row === undefined && !isConfigured(kind))) continue
    changed += 1
    if (row === undefined)
      await db
        .insert(alertChannels)
        .values({
          name: `${names[kind]} ${configurationSuffix}`,
          kind,
          origin: 'configuration',
          settings: {},
        })
        .onConflictDoNothing()
    else
      await db
        .update(alertChannels)
        .set({ missing_since: isStored ? now() : null })
        .where(and(eq(alertChannels.origin, 'configuration'), eq(alertChannels.kind, kind)))
  }
  return changed === 0 ? null : { channels: changed }
}
