import { csrfCookie, sessionCookie } from '@kustos/contract/auth'
import type { Configuration } from '../configuration.ts'

/** Shorter ones are words too: to hide them would blacken half the log. */
const shortest = 8

/** Everything in the configuration that gives access to something, each in the forms in which it travels. */
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

/** As it stands in the URL, and as it is meant. */
function passwordsOf(url: string | undefined): readonly string[] {
  const password = url !== undefined && URL.canParse(url) ? new URL(url).password : ''
  return password === '' ? [] : [password, decoded(password)]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A percent sign that stands for itself.
    return text
  }
}

const hidden = '[secret]'

/** Keys whose values are secrets, at any depth. Of a bounded length: to look for it in a long word costs its square. */
const key = String.raw`[\w.-]{0,40}(?:passw(?:or)?d|secret|token|authorization|cookie|api[_-]?key)[\w.-]{0,40}`
const text = String.raw`"(?:[^"\\]|\\.)*"`

/** What looks like a secret in a line of JSON, whoever wrote it there. */
const looks: readonly (readonly [RegExp, string])[] = [
  [new RegExp(String.raw`"(${key})":(?:${text}|\[(?:${text},?)*\])`, 'gi'), `"$1":"${hidden}"`],
  // The same inside a text that is JSON itself.
  [new RegExp(String.raw`\\"(${key})\\":\s*\\"[^"]*\\"`, 'gi'), `\\"$1\\":\\"${hidden}\\"`],
  [/(:\/\/[^\s:@/"\\]*):[^\s@/"\\]+@/g, `$1:${hidden}@`],
  [/(hooks\.slack\.com\/\w+)\/[^\s"\\]+/g, `$1/${hidden}`],
  [/\/bot\d+:[\w-]+/g, `/bot${hidden}`],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{16,}/gi, `$1 ${hidden}`],
  [/\$argon2\w+\$[^\s"\\]+/g, hidden],
  [new RegExp(String.raw`\b(${sessionCookie}|${csrfCookie})=[^;\s"\\]+`, 'g'), `$1=${hidden}`],
  // A failed statement's values, where its error was told as a text.
  [/\\nparams: (?:[^"\\]|\\.)*/g, ''],
]

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')

/** Takes secrets out of a finished line, which stays JSON. */
export function hiding(secrets: readonly string[]): (line: string) => string {
  const spelled = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
  const known =
    spelled.length === 0
      ? null
      : new RegExp(
          // A secret that begins like another one is looked for first where it is the longer.
          [...new Set(spelled)]
            .sort((a, b) => b.length - a.length)
            .map(literally)
            .join('|'),
          'g',
        )
  return (line) => {
    const cleaned = looks.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), line)
    return known === null ? cleaned : cleaned.replace(known, hidden)
  }
}
