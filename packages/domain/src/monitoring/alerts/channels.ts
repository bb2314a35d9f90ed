import { openMail } from '@kustos/clients/mail'
import { openSlack } from '@kustos/clients/slack'
import { openTelegram } from '@kustos/clients/telegram'
import { openStoredChannels, type StoredChannels } from '../../alert-channels/index.ts'
import type { Configuration } from '../../platform/configuration/index.ts'
import { createMask, secretsOf } from '../../platform/masking/index.ts'
import { createSecretBox } from '../../platform/secret-box.ts'
import type { AlertSettings } from './tools.ts'

type Guard = Parameters<typeof openStoredChannels>[0]['guard']

/**
 * The channels that are configured, and what opens those that users have added; nothing is sent yet.
 * @param guard how addresses that users enter are connected to
 * @throws Error with a sentence for the operator if one is configured only in part
 */
export function openAlertChannels(
  variables: Configuration,
  guard: Guard,
): AlertSettings & { readonly stored: StoredChannels; close(): Promise<void> } {
  const { SLACK_WEBHOOK_URL, SMTP_URL, ALERT_MAIL } = variables
  if (ALERT_MAIL.length > 0 && SMTP_URL === undefined)
    throw new Error('ALERT_MAIL is set and SMTP_URL is missing: no mail can be sent.')
  const telegram = telegramOf(variables)
  const { text: mask } = createMask(secretsOf(variables))
  const mail = SMTP_URL === undefined ? null : openMail({ url: SMTP_URL, from: variables.MAIL_FROM, mask })
  const slack = SLACK_WEBHOOK_URL === undefined ? null : openSlack({ url: SLACK_WEBHOOK_URL })
  const stored = openStoredChannels({
    secretBox: createSecretBox(variables.SECRETS_KEY),
    mail,
    telegramUrl: variables.TELEGRAM_URL,
    pagerDutyUrl: variables.PAGERDUTY_URL,
    guard,
  })
  return {
    stored,
    channels: { slack, telegram, mail },
    mailTo: ALERT_MAIL,
    publicUrl: variables.PUBLIC_URL ?? null,
    async close() {
      await Promise.all([slack?.close(), telegram?.close(), stored.close()])
    },
  }
}

function telegramOf({ TELEGRAM_URL: url, TELEGRAM_BOT_TOKEN: token, TELEGRAM_CHAT_ID: chat }: Configuration) {
  if (token === undefined && chat === undefined) return null
  if (token === undefined)
    throw new Error('TELEGRAM_CHAT_ID is set and TELEGRAM_BOT_TOKEN is missing: no message can be sent.')
  if (chat === undefined)
    throw new Error('TELEGRAM_BOT_TOKEN is set and TELEGRAM_CHAT_ID is missing: no message can be sent.')
  return openTelegram({ url, token, chat })
}
