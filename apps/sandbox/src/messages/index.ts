import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { closing, listenAgain, loopback } from '../listening.ts'
import { openHealth } from './health.ts'
import { startMailServer } from './mail.ts'
import { messagesServer } from './server.ts'
import { slackPath } from './slack.ts'
import { openMessages } from './store.ts'
import { telegramChat, telegramToken } from './telegram.ts'

export type { Message } from './store.ts'

/** Where the messages of each channel go that has no real receiver. */
export interface SandboxMessages {
  /** The page that shows them. */
  readonly url: string
  readonly mail: Readonly<Record<'SMTP_URL' | 'MAIL_FROM' | 'ALERT_MAIL', string>>
  readonly slack: Readonly<Record<'SLACK_WEBHOOK_URL', string>>
  readonly telegram: Readonly<Record<'TELEGRAM_URL' | 'TELEGRAM_BOT_TOKEN' | 'TELEGRAM_CHAT_ID', string>>
  stop(): Promise<void>
}

/**
 * Starts what takes messages on loopback: SMTP, Slack's webhook, Telegram's Bot API, and the page that shows them.
 * @param folder where they are kept from one start to the next
 */
export async function startMessages(folder: string): Promise<SandboxMessages> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const store = openMessages(join(folder, 'messages.jsonl'))
  const health = openHealth()
  const server = createServer(messagesServer(store, health))
  const close = closing(server)
  const port = await listenAgain(server, folder)
  const mail = await startMailServer(store, health)
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
