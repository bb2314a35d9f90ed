import { z } from 'zod'
import { issue } from '../messages/message.ts'
import { baseVersion, id, text, timestamp, visibleName } from '../text.ts'
import { reportingChannels } from '../webs/states.ts'
import {
  type ChannelKind,
  channelFields,
  channelKinds,
  channelOrigins,
  channelStates,
  configurationSuffix,
} from './states.ts'

/** A channel without its secrets, which never leave the server. */
export const alertChannel = z
  .object({
    id,
    name: z.string(),
    kind: z.enum(channelKinds),
    origin: z.enum(channelOrigins),
    /** Of mail. */
    address: z.string().nullable(),
    /** Of Telegram: a number, or @name. */
    chat: z.string().nullable(),
    /** Of kinds with a URL: the host that it leads to. */
    host: z.string().nullable(),
    /** The channel of webs whose alerts come here instead of where the configuration sends them. */
    default_for: z.enum(reportingChannels).nullable(),
    /** Whether it gets what other channels refuse. */
    fallback: z.boolean(),
    state: z.enum(channelStates),
    last_sent_at: timestamp.nullable(),
    last_failed_at: timestamp.nullable(),
    /** Why the last attempt failed, null if it did not; while a mailbox refuses messages, why it does. */
    error: z.string().nullable(),
    /** The number of alerts that wait for it. */
    waiting: z.int(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'AlertChannel' })
export type AlertChannel = z.output<typeof alertChannel>

const blankAsNull = (max: number) =>
  text(max)
    .nullable()
    .default(null)
    .transform((value) => (value === '' ? null : value))

/** Only ever sent to the server. */
const secret = (max: number) => blankAsNull(max)

const editable = {
  name: visibleName(60).refine(
    (name) => !name.endsWith(configurationSuffix),
    issue('alert_channel_name_reserved'),
  ),
  kind: z.enum(channelKinds),
  /** Needed for mail. */
  address: blankAsNull(254).refine(
    (value) => value === null || z.email().safeParse(value).success,
    issue('email_invalid'),
  ),
  /** Needed for Telegram. */
  chat: blankAsNull(60).refine(
    (value) => value === null || /^(-?\d{1,20}|@\w+)$/.test(value),
    issue('alert_channel_chat_invalid'),
  ),
  /** Where messages are posted, for Slack, Teams, Discord and webhooks. A secret, as the next one: an edit without it keeps the stored one. */
  url: secret(2_000).refine(
    (value) => value === null || z.url({ protocol: /^https?$/ }).safeParse(value).success,
    issue('url_invalid'),
  ),
  /** The token of the Telegram bot, the integration key of PagerDuty, or what signs the messages of a webhook. */
  key: secret(500).refine((value) => value === null || !/\s/.test(value), issue('key_has_spaces')),
  default_for: z.enum(reportingChannels).nullable().default(null),
  fallback: z.boolean().default(false),
}

type Input = z.output<z.ZodObject<typeof editable>>

const keyFormats: Readonly<Partial<Record<ChannelKind, RegExp>>> = {
  telegram: /^\d+:[\w-]+$/,
  pagerduty: /^[A-Za-z0-9]{32}$/,
  webhook: /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/,
}

const check =
  (secretsRequired: boolean) =>
  (channel: Input, context: z.RefinementCtx): void => {
    const refuse = (path: keyof Input, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    for (const field of channelFields[channel.kind]) {
      const isSecret = field === 'url' || field === 'key'
      if (channel[field] === null && (secretsRequired || !isSecret)) refuse(field, issue('missing'))
    }
    const format = keyFormats[channel.kind]
    if (channel.key !== null && format?.test(channel.key) === false)
      refuse('key', issue(`alert_channel_key_of_${channel.kind as 'telegram' | 'pagerduty' | 'webhook'}`))
  }

/** Fields that do not belong to the kind are ignored. */
export const newAlertChannel = z.object(editable).superRefine(check(true)).meta({ id: 'NewAlertChannel' })
export type NewAlertChannel = z.output<typeof newAlertChannel>

/** All fields are replaced, except secrets that are left out. */
export const alertChannelChange = z
  .object({ ...editable, ...baseVersion })
  .superRefine(check(false))
  .meta({ id: 'AlertChannelChange' })
export type AlertChannelChange = z.output<typeof alertChannelChange>

/** What the service answered to a test message. */
export const channelTest = z
  .object({
    ok: z.boolean(),
    /** Why it was not accepted; null if it was. */
    error: z.string().nullable(),
  })
  .meta({ id: 'ChannelTest' })
export type ChannelTest = z.output<typeof channelTest>
