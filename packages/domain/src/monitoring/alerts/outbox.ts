import type { ReportingChannel } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import { alerts } from '@kustos/database/tables'
import type { Composed } from './parts.ts'
import { subscribers } from './subscribers.ts'
import type { AlertSettings } from './tools.ts'

/** Rows of one statement. */
const portion = 1_000

/** Writes a row for each message and each of those who get it. @returns their ids, in the order of the messages */
export async function writeAlerts(
  db: Transaction,
  messages: readonly Composed[],
  settings: AlertSettings,
  now: Date,
): Promise<readonly number[]> {
  if (messages.length === 0) return []
  const subscribed = settings.channels.mail === null ? [] : await subscribers(db)
  const rows = messages.flatMap(({ content, channels }) =>
    recipientsOf(channels, settings, subscribed).map((to) => ({ ...to, content, created_at: now })),
  )
  const ids: number[] = []
  for (let from = 0; from < rows.length; from += portion) {
    const written = await db
      .insert(alerts)
      .values(rows.slice(from, from + portion))
      .returning({ id: alerts.id })
    ids.push(...written.map((row) => row.id))
  }
  return ids
}

interface To {
  readonly channel: ReportingChannel
  readonly recipient: string | null
}

function recipientsOf(
  wanted: readonly ReportingChannel[],
  { channels, mailTo }: AlertSettings,
  subscribed: readonly string[],
): readonly To[] {
  const posts = (['slack', 'telegram'] as const).filter(
    (channel) => wanted.includes(channel) && channels[channel] !== null,
  )
  const addresses = channels.mail === null ? [] : [...(wanted.includes('mail') ? mailTo : []), ...subscribed]
  return [
    ...posts.map((channel) => ({ channel, recipient: null })),
    ...distinct(addresses).map((recipient) => ({ channel: 'mail' as const, recipient })),
  ]
}

/** The same address in another case is the same letter box, everywhere but in the standard. */
const distinct = (addresses: readonly string[]): readonly string[] => [
  ...new Map(addresses.map((address) => [address.toLowerCase(), address])).values(),
]
