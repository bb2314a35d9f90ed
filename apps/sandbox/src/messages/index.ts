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

export type SandboxMessages = Awaited<ReturnType<typeof startMessages>>

/**
 * Starts an SMTP server, and a web server for Slack's webhook, Telegram's Bot API and the page that shows all messages.
 * Returns the address of the page, and each channel's settings for Kustos.
 * @param folder stores the messages and the port
 */
export async function startMessages(folder: string, address = loopback) {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const store = openMessageStore(join(folder, 'messages.jsonl'))
  const failures = createChannelFailures()
  const server = createServer(createMessagesService(store, failures))
  const close = trackConnections(server)
  const port = await listenOnStoredPort(server, address, folder)
  const mail = await startMailServer(store, failures, address)
  const origin = `http://${address}:${port}`
  return {
    url: `http://${address === loopback ? 'localhost' : address}:${port}/`,
    mail: {
      SMTP_URL: `smtp://${address}:${mail.port}`,
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
