import type { AlertChannelChange, NewAlertChannel } from '@kustos/contract/alert-channels'
import { channelFields } from '@kustos/contract/alert-channels'
import { message } from '@kustos/contract/messages'
import { alertChannels, type ChannelSettings } from '@kustos/database/tables'
import { and, eq, ne } from 'drizzle-orm'
import {
  type AuditTransaction,
  difference,
  entriesOf,
  nextUpdatedAt,
  rejectStaleWrite,
  withAudit,
} from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { conflict, invalid, mapUniqueViolation, notFound } from '../platform/errors.ts'
import { lockInTransaction } from '../platform/locks.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { isInUse, leaveOpened } from './former-channel.ts'
import { findRouteUsing } from './route-using.ts'
import { type ChannelSecrets, openSecrets, sealSecrets } from './secrets.ts'

type Channel = typeof alertChannels.$inferSelect

const entry = entriesOf('alert-channels', 'alert_channel')

/**
 * Adds a channel.
 * @param box null if no key for secrets is configured
 * @throws DomainError invalid for a taken name, and for secrets without a box
 */
export const createAlertChannel = (
  context: Context,
  box: SecretBox | null,
  input: NewAlertChannel,
): Promise<{ readonly id: number }> =>
  withFreeName(() =>
    withAudit(context, async (tx) => {
      await lockInTransaction(tx.db, 'alert-channels')
      const now = tx.now()
      await takeRoles(tx, input)
      const { name, kind, default_for, fallback } = input
      const values = { name, kind, default_for, fallback, settings: settingsOf(input) }
      const [row] = await tx.db
        .insert(alertChannels)
        .values({ ...values, created_at: now, updated_at: now })
        .returning()
      if (!row) throw new Error('The channel was not inserted')
      const given = secretsOf(input)
      if (given !== null)
        await tx.db
          .update(alertChannels)
          .set({ secrets: sealSecrets(box, row.id, given, secretField(input)) })
          .where(eq(alertChannels.id, row.id))
      await tx.record({ ...entry('created', row.id), attributes: { kind, ...logged(row) } })
      return { id: row.id }
    }),
  )

/**
 * Changes a channel. Workers use the change with their next message.
 * @throws DomainError not-found; conflict for one from the configuration, and if it has changed since `updated_at`; invalid as for a
 *   new one, for another kind, and for a secret that is left out if it was sealed with a key that is no longer configured
 */
export const editAlertChannel = (
  context: Context,
  box: SecretBox | null,
  id: number,
  { updated_at: seen, ...input }: AlertChannelChange,
): Promise<void> =>
  withFreeName(() =>
    withAudit(context, async (tx) => {
      // Before its row, since it may take a role from a channel that is edited at the same time.
      await lockInTransaction(tx.db, 'alert-channels')
      const row = await lockChannel(tx, id)
      if (row.origin === 'configuration') throw conflict('alert_channel_configured')
      await rejectStaleWrite(tx, { type: 'alert_channel', id }, 'alert_channel', row.updated_at, seen)
      if (input.kind !== row.kind) throw invalid({ kind: message('alert_channel_kind_fixed') })
      const given = secretsOf(input)
      const settings = { ...row.settings, ...settingsOf(input) }
      const { name, default_for, fallback } = input
      const values = { name, default_for, fallback, settings }
      const changed = difference<Record<string, unknown>>(logged(row), logged(values))
      if (changed === null && given === null) return tx.skipAudit()
      await takeRoles(tx, input, id)
      if (given?.key !== undefined && given.key !== openSecrets(box, row)?.key)
        await leaveOpened(tx, box, row)
      const secrets = given && {
        secrets: sealSecrets(box, id, mergeSecrets(box, row, input, given), secretField(input)),
      }
      await tx.db
        .update(alertChannels)
        .set({ ...values, ...secrets, updated_at: nextUpdatedAt(row, tx) })
        .where(eq(alertChannels.id, id))
      await tx.record({
        ...entry('updated', id),
        old: { ...changed?.old },
        attributes: { ...changed?.attributes, ...changedSecrets(given) },
      })
    }),
  )

/**
 * Deletes a channel. What waits for it is refused with its next attempt, and so goes to the fallback channel.
 * @throws DomainError not-found; conflict for one that the configuration has, and while an alert route uses it
 */
export const deleteAlertChannel = (context: Context, box: SecretBox | null, id: number): Promise<void> =>
  withAudit(context, async (tx) => {
    const row = await lockChannel(tx, id)
    if (row.origin === 'configuration' && row.missing_since === null)
      throw conflict('alert_channel_configured')
    const route = await findRouteUsing(tx.db, 'channels', id)
    if (route !== null) throw conflict('alert_channel_used', { route })
    await leaveOpened(tx, box, row)
    await tx.db.delete(alertChannels).where(eq(alertChannels.id, id))
    await tx.record({ ...entry('deleted', id), old: { kind: row.kind, ...logged(row) } })
  })

/** Takes the roles that the channel gets from those that have them: only one channel can have each. The caller holds the lock. */
async function takeRoles(
  tx: AuditTransaction,
  { default_for, fallback }: Pick<NewAlertChannel, 'default_for' | 'fallback'>,
  id = 0,
): Promise<void> {
  const isOther = ne(alertChannels.id, id)
  const take = async (which: ReturnType<typeof eq>, old: object, attributes: object) => {
    const rows = await tx.db
      .update(alertChannels)
      .set({ ...attributes, updated_at: tx.now() })
      .where(and(which, isOther))
      .returning({ id: alertChannels.id })
    for (const row of rows)
      await tx.record({ ...entry('updated', row.id), old: { ...old }, attributes: { ...attributes } })
  }
  if (default_for !== null)
    await take(eq(alertChannels.default_for, default_for), { default_for }, { default_for: null })
  if (fallback) await take(eq(alertChannels.fallback, true), { fallback: true }, { fallback: false })
}

/** @throws DomainError not-found */
export async function lockChannel(tx: Pick<AuditTransaction, 'db'>, id: number): Promise<Channel> {
  const [row] = await tx.db
    .select()
    .from(alertChannels)
    .where(and(eq(alertChannels.id, id), isInUse))
    .for('update')
  if (!row) throw notFound('alert_channel_not_found', { id })
  return row
}

const needs = (input: Pick<NewAlertChannel, 'kind'>, field: 'address' | 'chat' | 'url' | 'key') =>
  (channelFields[input.kind] as readonly string[]).includes(field)

const settingsOf = (input: NewAlertChannel): ChannelSettings => ({
  ...(needs(input, 'address') && input.address !== null && { address: input.address }),
  ...(needs(input, 'chat') && input.chat !== null && { chat: input.chat }),
  ...(needs(input, 'url') && input.url !== null && { host: new URL(input.url).host }),
})

/** The secrets of an input that belong to its kind; null if there are none. */
function secretsOf(input: NewAlertChannel): ChannelSecrets | null {
  const given = {
    ...(needs(input, 'url') && input.url !== null && { url: input.url }),
    ...(needs(input, 'key') && input.key !== null && { key: input.key }),
  }
  return Object.keys(given).length === 0 ? null : given
}

/**
 * The stored secrets with those that are given in their place.
 * @throws DomainError invalid, by field, for one that is left out if the stored ones can no longer be read
 */
function mergeSecrets(
  box: SecretBox | null,
  row: Channel,
  input: NewAlertChannel,
  given: ChannelSecrets,
): ChannelSecrets {
  const stored = openSecrets(box, row)
  const lost = (['url', 'key'] as const).filter((field) => needs(input, field) && given[field] === undefined)
  if (stored === null && lost.length > 0)
    throw invalid(Object.fromEntries(lost.map((field) => [field, message('missing')])))
  return { ...stored, ...given }
}

/** Which secrets were given, without them. */
const changedSecrets = (given: ChannelSecrets | null) =>
  Object.fromEntries(Object.keys(given ?? {}).map((field) => [field, 'changed']))

const secretField = (input: NewAlertChannel) => (needs(input, 'url') ? 'url' : 'key')

/** What users edit, without secrets. */
const logged = ({
  name,
  settings,
  default_for,
  fallback,
}: Pick<Channel, 'name' | 'settings' | 'default_for' | 'fallback'>) => ({
  name,
  ...settings,
  default_for,
  fallback,
})

const withFreeName = <T>(work: () => Promise<T>): Promise<T> =>
  mapUniqueViolation(
    { alert_channels_name_unique: () => invalid({ name: message('alert_channel_name_taken') }) },
    work,
  )
