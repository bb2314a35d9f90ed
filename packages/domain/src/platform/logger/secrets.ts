import { csrfCookie, sessionCookie } from '@kustos/contract/auth'
import type { Configuration } from '../configuration.ts'

/** Shorter values may be ordinary words, which would be redacted everywhere. */
const shortest = 8

/** All secrets of the configuration, in every encoding in which they are sent. */
export function secretsOf(configuration: Configuration): readonly string[] {
  const { BITBUCKET_TOKEN: bitbucket, TELEGRAM_BOT_TOKEN: bot, SLACK_WEBHOOK_URL: webhook } = configuration
  const urls = [
    configuration.DATABASE_URL,
    configuration.DATABASE_OWNER_URL,
    configuration.REDIS_URL,
    configuration.SMTP_URL,
    configuration.BITBUCKET_URL,
    configuration.LIMITIS_API_URL,
  ]
  const found = [
    configuration.SESSION_SECRET,
    configuration.METRICS_TOKEN,
    configuration.LIMITIS_API_TOKEN,
    bitbucket,
    // `e-mail:token`, and as Basic authentication.
    bitbucket?.slice(bitbucket.indexOf(':') + 1),
    bitbucket && Buffer.from(bitbucket).toString('base64'),
    bot,
    bot?.slice(bot.indexOf(':') + 1),
    webhook && new URL(webhook).pathname,
    ...Object.values(configuration.PLESK_API_KEYS),
    ...urls.flatMap(passwordsOf),
  ]
  return [...new Set(found.filter((secret) => secret !== undefined && secret.length >= shortest))].map(String)
}

/** @returns the password of a URL, encoded and decoded */
function passwordsOf(url: string | undefined): readonly string[] {
  const password = url !== undefined && URL.canParse(url) ? new URL(url).password : ''
  return password === '' ? [] : [password, decoded(password)]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // The percent sign is meant literally.
    return text
  }
}

const redacted = '[secret]'

/** Keys whose values are secrets. The length is bounded because matching takes quadratic time in long words. */
const key = String.raw`[\w.-]{0,40}(?:passw(?:or)?d|secret|token|authorization|cookie|api[_-]?key)[\w.-]{0,40}`
const text = String.raw`"(?:[^"\\]|\\.)*"`

/** What looks like a secret in a line of JSON. */
const secretPatterns: readonly (readonly [RegExp, string])[] = [
  [new RegExp(String.raw`"(${key})":(?:${text}|\[(?:${text},?)*\])`, 'gi'), `"$1":"${redacted}"`],
  // The same in a string that contains JSON.
  [new RegExp(String.raw`\\"(${key})\\":\s*\\"[^"]*\\"`, 'gi'), `\\"$1\\":\\"${redacted}\\"`],
  [/(:\/\/[^\s:@/"\\]*):[^\s@/"\\]+@/g, `$1:${redacted}@`],
  [/(hooks\.slack\.com\/\w+)\/[^\s"\\]+/g, `$1/${redacted}`],
  [/\/bot\d+:[\w-]+/g, `/bot${redacted}`],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{16,}/gi, `$1 ${redacted}`],
  [/\$argon2\w+\$[^\s"\\]+/g, redacted],
  [new RegExp(String.raw`\b(${sessionCookie}|${csrfCookie})=[^;\s"\\]+`, 'g'), `$1=${redacted}`],
  // The values of a failed statement.
  [/\\nparams: (?:[^"\\]|\\.)*/g, ''],
]

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')

/** Redacts secrets in a line of JSON, which stays valid. */
export function createRedactor(secrets: readonly string[]): (line: string) => string {
  const spelled = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
  const known =
    spelled.length === 0
      ? null
      : new RegExp(
          // Of two secrets with the same beginning the longer one has to match first.
          [...new Set(spelled)]
            .sort((a, b) => b.length - a.length)
            .map(escapeRegExp)
            .join('|'),
          'g',
        )
  return (line) => {
    const cleaned = secretPatterns.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), line)
    return known === null ? cleaned : cleaned.replace(known, redacted)
  }
}
