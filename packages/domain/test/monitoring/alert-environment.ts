import { openMail } from '@kustos/clients/mail'
import { openQueues } from '@kustos/clients/queue'
import { openSlack } from '@kustos/clients/slack'
import { openTelegram } from '@kustos/clients/telegram'
import { startHttpReceiver, startMailReceiver } from '@kustos/clients/testing/channels'
import { queues } from '@kustos/contract/queue'
import type { ReportingChannel } from '@kustos/contract/webs'
import type { AlertContent } from '@kustos/database/tables'
import { alerts } from '@kustos/database/tables'
import type { TestDatabase } from '@kustos/database/testing'
import { asc, eq } from 'drizzle-orm'
import { afterAll } from 'vitest'
import { openStoredChannels } from '../../src/alert-channels/index.ts'
import type { DeliveryTools } from '../../src/monitoring/alerts/index.ts'
import { type Context, createContext } from '../../src/platform/context.ts'
import { createSecretBox } from '../../src/platform/secret-box.ts'

export const slackOk = { status: 200, body: 'ok' }
const telegramOk = { status: 200, body: JSON.stringify({ ok: true, result: { message_id: 1 } }) }

/** Opens all three channels against servers on loopback, with functions to add and read alerts. */
export async function openAlerting(database: TestDatabase, { timeoutMs = 5_000 } = {}) {
  const { db } = database
  const [slack, telegram, mail] = await Promise.all([
    startHttpReceiver(slackOk),
    startHttpReceiver(telegramOk),
    startMailReceiver(),
  ])
  const open = await openQueues({ databaseUrl: database.url, onError: () => undefined }, queues)
  const errors: Error[] = []
  const channels = {
    slack: openSlack({ url: `${slack.origin}/services/T/B/x`, timeoutMs }),
    telegram: openTelegram({ url: telegram.origin, token: '1:token', chat: '-100', timeoutMs }),
    mail: openMail({ url: `smtp://127.0.0.1:${mail.port}`, from: 'Kustos <kustos@agency.test>', timeoutMs }),
  }
  afterAll(async () => {
    await Promise.all([open.close(), stored.close(), channels.slack.close(), channels.telegram.close()])
    await Promise.all([slack.stop(), telegram.stop(), mail.stop()])
  })
  const stored = openStoredChannels({
    secretBox: createSecretBox([Buffer.alloc(32, 7)]),
    mail: channels.mail,
    telegramUrl: telegram.origin,
    pagerDutyUrl: slack.origin,
    guard: { allowNetworks: ['127.0.0.0/8'] },
    timeoutMs,
  })
  const tools: DeliveryTools = {
    stored,
    channels,
    mailTo: ['oncall@agency.test'],
    publicUrl: 'https://kustos.test',
    queues: open,
    onError: (error) => errors.push(error),
  }
  let now = new Date('2026-11-20T10:00:00Z')
  const context: Context = createContext(database, null, () => now)

  return {
    tools,
    context,
    /** The errors that `onError` was called with. */
    errors,
    slack: slack.state,
    slackUrl: `${slack.origin}/services/T/B/x`,
    telegram: telegram.state,
    mail: mail.state,
    now: () => now,
    advanceMs(durationMs: number) {
      now = new Date(now.getTime() + durationMs)
    },
    /** Sets the clock and clears everything received. */
    reset(at = '2026-11-20T10:00:00Z') {
      now = new Date(at)
      for (const { state } of [slack, telegram]) Object.assign(state, { posted: [], next: [] })
      slack.state.usual = slackOk
      telegram.state.usual = telegramOk
      Object.assign(mail.state, { mails: [], refusals: [] })
      errors.splice(0)
    },
    /** Inserts an alert as `announce` does. @returns its id */
    async addAlert(
      channel: ReportingChannel,
      more: { title?: string; recipient?: string } = {},
    ): Promise<number> {
      const content: AlertContent = { title: more.title ?? 'a.test is down: 503', lines: ['Customer: ALPEN'] }
      const recipient = channel === 'mail' ? (more.recipient ?? 'oncall@agency.test') : null
      const [row] = await db
        .insert(alerts)
        .values({ channel, recipient, content, created_at: now })
        .returning({ id: alerts.id })
      if (!row) throw new Error('The alert was not stored')
      return row.id
    },
    async readAlert(id: number) {
      const [row] = await db.select().from(alerts).where(eq(alerts.id, id))
      if (!row) throw new Error(`There is no alert ${id}`)
      return row
    },
    /** Channel and recipient of each, with its title, in the order of insertion. */
    async listAlerts(): Promise<string[]> {
      const rows = await db.select().from(alerts).orderBy(asc(alerts.id))
      return rows.map(({ channel, recipient, content }) =>
        [channel, ...(recipient === null ? [] : [recipient]), content.title].join(' '),
      )
    },
  }
}
