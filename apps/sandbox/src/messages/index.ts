import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { listenOnStoredPort, loopback, trackConnections } from '../listen.ts'
import { createChannelFailures } from './channel-failures.ts'
import { startMailServer } from './mail.ts'
import { createMessagesService } from './routes.ts'
import { slackPath } from './slack.ts'
import { openMessageStore } from './store.ts'
import { telegramChat, telegramToken } from './telegram.ts'

export type { Message } from './store.ts'

/** Each channel's settings for Kustos. */
export interface SandboxMessages {
  /** The page that shows the messages. */
  readonly url: string
  readonly mail: Readonly<Record<'SMTP_URL' | 'MAIL_FROM' | 'ALERT_MAIL', string>>
  readonly slack: Readonly<Record<'SLACK_WEBHOOK_URL', string>>
  readonly telegram: Readonly<Record<'TELEGRAM_URL' | 'TELEGRAM_BOT_TOKEN' | 'TELEGRAM_CHAT_ID', string>>
  stop(): Promise<void>
}

/**
 * Starts an SMTP server, and a web server for Slack's webhook, Telegram's Bot API and the page that shows all messages.
 * @param folder stores the messages and the port
 */
export async function startMessages(folder: string): Promise<SandboxMessages> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const store = openMessageStore(join(folder, 'messages.jsonl'))
  const failures = createChannelFailures()
  const server = createServer(createMessagesService(store, failures))
  const close = trackConnections(server)
  const port = await listenOnStoredPort(server, folder)
  const mail = await startMailServer(store, failures)
  const origin = `http://${loopback}:${port}`
  return {
    url: `http://localhost:${port}/`,
    mail: {
      SMTP_URL: `smtp://${loopback}:${mail.port}`,
      MAIL_FROM: 'Kustos <kustos@kustos.test>',
      ALERT_MAIL: 'alerts@kustos.test',
    },
    slack: { SLACK_WEBHOOK_URL: `${origin}${slackPath}` },
    telegram: {
      TELEGRAM_URL: origin,
      TELEGRAM_BOT_TOKEN: telegramToken,
      TELEGRAM_CHAT_ID: telegramChat,
    },
    stop: async () => {
      await Promise.all([close(), mail.stop()])
    },
  }
}
