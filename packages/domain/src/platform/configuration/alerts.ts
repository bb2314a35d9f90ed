import { dnsTypes } from '@kustos/contract/domains'
import { z } from 'zod'
import { secret, section } from './documentation.ts'
import { httpUrl, listOf, matching } from './formats.ts'

const alerts = section('Alerts')

export const alertVariables = {
  DNS_ALERT_TYPES: alerts(
    z
      .union([
        z.literal('none').transform((): (typeof dnsTypes)[number][] => []),
        listOf(z.enum(dnsTypes, `must be none, or list some of ${dnsTypes.join(', ')}`)),
      ])
      .default(['A', 'AAAA', 'CNAME', 'MX', 'NS']),
    'The types of DNS records whose changes are alerted, comma-separated, or `none`. Addresses and aliases matter for hosts of ' +
      'websites only. A domain can mute some.',
  ),
  SMTP_URL: alerts(
    matching(/^smtps?:\/\/\S+$/, 'must look like smtp://user:password@host:587').optional(),
    'The mail server, `smtp://user:password@host:587` or `smtps://…`; special characters percent-encoded. The API needs it, too, for mails about accounts.',
    secret,
  ),
  MAIL_FROM: alerts(z.string().default('Kustos <kustos@localhost>'), 'The sender of mails.'),
  ALERT_MAIL: alerts(
    listOf(z.email('must list mail addresses')).default([]),
    'Addresses, comma-separated, that get every alert of the mail channel, besides the users who subscribed.',
  ),
  ALERT_REMINDERS: alerts(
    z.enum(['never', '1h', '4h', 'daily'], 'must be never, 1h, 4h or daily').default('never'),
    'How often alerts are repeated while an incident lasts: `never`, `1h`, `4h` or `daily`.',
  ),
  SLACK_WEBHOOK_URL: alerts(httpUrl().optional(), 'An incoming webhook of Slack.', secret),
  TELEGRAM_URL: alerts(httpUrl().default('https://api.telegram.org'), 'The API of Telegram.'),
  TELEGRAM_BOT_TOKEN: alerts(
    matching(/^\d+:[\w-]+$/, 'must look like 123456:ABC-def').optional(),
    'The token of the Telegram bot.',
    secret,
  ),
  TELEGRAM_CHAT_ID: alerts(
    matching(/^(-?\d+|@\w+)$/, 'must be a number or @name').optional(),
    'The chat that the bot writes to: a number, or `@name`.',
  ),
  PAGERDUTY_URL: alerts(
    httpUrl().default('https://events.pagerduty.com'),
    'The Events API of PagerDuty; `https://events.eu.pagerduty.com` for accounts of its EU region.',
  ),
}
