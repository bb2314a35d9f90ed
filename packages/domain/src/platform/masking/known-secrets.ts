import type { Configuration } from '../configuration/index.ts'
import { passwordsOf } from './patterns.ts'

/** Shorter values may be ordinary words, which would be masked everywhere. */
const shortest = 8

/** All secrets of a configuration. */
export function secretsOf(configuration: Partial<Configuration>): readonly string[] {
  const { BITBUCKET_TOKEN: bitbucket, TELEGRAM_BOT_TOKEN: bot, SLACK_WEBHOOK_URL: webhook } = configuration
  const urls = [
    configuration.DATABASE_URL,
    configuration.DATABASE_OWNER_URL,
    configuration.DATABASE_POOLER_URL,
    configuration.REDIS_URL,
    configuration.SMTP_URL,
    configuration.BITBUCKET_URL,
    configuration.LIMITIS_API_URL,
    configuration.OTEL_EXPORTER_OTLP_ENDPOINT,
  ]
  const found = [
    configuration.SESSION_SECRET,
    configuration.METRICS_TOKEN,
    ...[...(configuration.SECRETS_KEY ?? []), ...(configuration.REPORT_SIGNING_KEY ?? [])].map((key) =>
      key.toString('base64'),
    ),
    configuration.LIMITIS_API_TOKEN,
    bitbucket,
    // `e-mail:token`
    bitbucket?.slice(bitbucket.indexOf(':') + 1),
    bot,
    bot?.slice(bot.indexOf(':') + 1),
    webhook && new URL(webhook).pathname,
    configuration.HEARTBEAT_URL,
    ...Object.values(configuration.PLESK_API_KEYS ?? {}),
    // `Bearer token`
    ...Object.values(configuration.OTEL_EXPORTER_OTLP_HEADERS ?? {}).flatMap((value) => [
      value,
      value.slice(value.lastIndexOf(' ') + 1),
    ]),
    ...urls.flatMap((url) => passwordsOf(url ?? '')),
  ]
  return found.filter((secret) => secret !== undefined)
}

/** Secrets in every spelling in which they are searched for, the longest first; without those that are too short. */
export const spellingsOf = (secrets: readonly string[]): readonly string[] =>
  [...new Set(secrets.filter(({ length }) => length >= shortest).flatMap(listSpellings))].sort(
    (a, b) => b.length - a.length,
  )

function listSpellings(secret: string): string[] {
  const encoded = encodeURIComponent(secret.toWellFormed())
  const strict = encoded.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  const percent = [encoded, strict, strict.replaceAll('%20', '+')]
  return [
    secret,
    // Streams are searched without what separates their lines.
    secret.replace(/\s*\n\s*/g, ''),
    ...jsonOf(secret),
    ...jsonOf(secret).flatMap(jsonOf),
    ...markupOf(secret),
    ...quotedOf(secret),
    ...hexadecimalOf(secret),
    ...percent,
    ...percent.map((text) => text.replace(/%../g, (code) => code.toLowerCase())),
    ...base64Of(secret),
  ]
}

/** In JSON, where PHP escapes slashes, Go what HTML gives a meaning to, and both Python and PHP what is not ASCII. */
function jsonOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  const escapeUnits = (text: string, characters: RegExp) =>
    text.replace(characters, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return [json, json.replaceAll('/', '\\/')].flatMap((text) => [
    text,
    escapeUnits(text, /[^\0-\x7f]/g),
    escapeUnits(text, /[<>&]/g),
  ])
}

function markupOf(secret: string): string[] {
  const elements = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const attributes = elements.replaceAll('"', '&quot;')
  return [
    elements,
    attributes,
    ...['&#39;', '&#039;', '&apos;'].map((sign) => attributes.replaceAll("'", sign)),
  ]
}

/** In quotes of SQL, PHP, MySQL and a shell, and in a shell without quotes. */
const quotedOf = (secret: string): string[] => [
  secret.replaceAll("'", "''"),
  secret.replace(/[\\']/g, '\\$&'),
  secret.replace(/[\\'"]/g, '\\$&'),
  secret.replaceAll("'", `'\\''`),
  secret.replaceAll("'", `'"'"'`),
  secret.replace(/[^\w%+./:=@-]/g, (sign) => (sign > '\x7f' ? sign : `\\${sign}`)),
]

function hexadecimalOf(secret: string): string[] {
  const digits = Buffer.from(secret).toString('hex')
  return [digits, digits.toUpperCase()]
}

/**
 * Returns the secret in base64, as a whole and as it looks within a longer text, which depends on how many bytes precede
 * it. Characters that also depend on neighbouring bytes are left out.
 */
function base64Of(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const parts = [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes])
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((padded.length * 8) / 6)]
    return (['base64', 'base64url'] as const).map((encoding) => padded.toString(encoding).slice(from, to))
  })
  return [bytes.toString('base64'), ...parts]
}

/** A pattern that matches any of the spellings; null if there are none. */
export const patternOf = (spellings: readonly string[]): RegExp | null =>
  spellings.length === 0 ? null : new RegExp(spellings.map(RegExp.escape).join('|'), 'g')
