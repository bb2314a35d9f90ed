import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { listenOnStoredPort, loopback, trackConnections } from '../listen.ts'
import { createChannelFailures } from './channel-failures.ts'
import { discordPath } from './discord.ts'
import { startMailServer } from './mail.ts'
import { pagerDutyKey } from './pagerduty.ts'
import { createMessagesService } from './routes.ts'
import { slackPath } from './slack.ts'
import { openMessageStore } from './store.ts'
import { teamsPath } from './teams.ts'
import { telegramChat, telegramToken } from './telegram.ts'
import { webhookKey, webhookPath } from './webhook.ts'

/** The name of the web server for who may not post to private addresses. */
const host = 'services.kustos.test'

export type { Message } from './store.ts'

export type SandboxMessages = Awaited<ReturnType<typeof startMessages>>

/**
 * Starts an SMTP server, and a web server for all other services of channels and the page that shows all messages.
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
  const named = `http://${host}:${port}`
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
    /** For CONNECT_TO: the name that the URLs of `channels` have. Kustos posts to no private address that a user enters. */
    connectTo: `${host}:${port}:${address}:${port}`,
    /** What users enter for channels of these kinds. */
    channels: {
      slack: { url: `${named}${slackPath}` },
      telegram: { chat: telegramChat, key: telegramToken },
      teams: { url: `${named}${teamsPath}` },
      discord: { url: `${named}${discordPath}` },
      pagerduty: { key: pagerDutyKey },
      webhook: { url: `${named}${webhookPath}`, key: webhookKey },
    },
    pagerDuty: { PAGERDUTY_URL: origin },
    stop: async () => {
      await Promise.all([close(), mail.stop()])
    },
  }
}
