import { csrfCookie, sessionCookie } from '@kustos/contract/auth'

/** Stands for a secret. */
export const masked = '[secret]'

type Replacement = readonly [pattern: RegExp, instead: string]

export const replaceAll = (text: string, replacements: readonly Replacement[]): string =>
  replacements.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), text)

/**
 * Secrets that are recognized by their form. None of the patterns masks a quote or a backslash, so a line of JSON stays
 * valid. Slashes may be escaped in JSON. Their repetitions are bounded, because matching takes quadratic time in long words otherwise.
 */
export const forms: readonly Replacement[] = [
  // URLs with credentials, or a token in place of the user.
  [/(:(?:\\?\/){2}[^\s:@/"\\]*):[^\s@/"\\]+@/g, `$1:${masked}@`],
  [/(:(?:\\?\/){2})[^\s:@/"\\]{20,255}@/g, `$1${masked}@`],
  [/(hooks\.slack\.com\/\w+)\/[^\s"\\]+/g, `$1/${masked}`],
  [/\/bot\d+:[\w-]+/g, `/bot${masked}`],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{16,}/gi, `$1 ${masked}`],
  // Hashes of passwords: crypt(3) and argon2.
  [/\$(?:1|2[abxy]?|5|6|y|argon2\w+)\$[^\s"\\]{8,}/g, masked],
  [new RegExp(String.raw`\b(${sessionCookie}|${csrfCookie})=[^;\s"\\]+`, 'g'), `$1=${masked}`],
  // Tokens of GitHub, GitLab, Slack, Atlassian, AWS, Stripe, npm, Google and SendGrid, and JSON web tokens.
  [
    new RegExp(
      `(?<![A-Za-z0-9])(?:${[
        String.raw`gh[pousr]_\w{20,255}`,
        String.raw`github_pat_\w{20,255}`,
        String.raw`glpat-[\w.-]{16,255}`,
        String.raw`xox[a-z]-[\w-]{10,255}`,
        String.raw`AT(?:ATT|CTT|BB)[\w=-]{16,512}`,
        '(?:AKIA|ASIA)[A-Z0-9]{16}',
        String.raw`[spr]k_(?:live|test)_\w{16,255}`,
        String.raw`npm_\w{30,255}`,
        String.raw`AIza[\w-]{30,255}`,
        String.raw`SG\.[\w-]{16,255}\.[\w-]{16,255}`,
        String.raw`eyJ[\w-]{16,2000}(?:\.[\w-]{0,4000}){0,2}`,
      ].join('|')})`,
      'g',
    ),
    masked,
  ],
]

/** Names whose values are secrets, at their end. */
const name = String.raw`[\w.-]{0,40}(?:passw(?:or)?d|passwort|kennwort|passphrase|secret|token|credentials?|[_-](?:pass|pwd|salt)|(?:api|app|access|auth|encryption|private|secret)[_-]?key)\d{0,3}`
const quoted = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`
const value = String.raw`(?!(?:yes|no|true|false|null|none|on|off)\b|\[secret\](?:[^\w[]|$))(${quoted}|\S+)`

/** In plain text: what precedes a secret, and the secret. */
const assignments: readonly RegExp[] = [
  /\b((?:authorization|cookie)\s{0,3}:\s{0,3})(\S.*)/gi,
  // Statements of SQL.
  new RegExp(
    String.raw`\b(identified\s{1,3}(?:with\s{1,3}\S{1,40}\s{1,3})?by\s{1,3}(?:password\s{1,3})?)(${quoted})`,
    'gi',
  ),
  new RegExp(String.raw`\b(password(?:\s{1,3}|\s{0,3}\(\s{0,3}))(${quoted})`, 'gi'),
  new RegExp(String.raw`(${name}["']?\s{0,3}(?:=>?(?!>)|:)\s{0,3})${value}`, 'gi'),
  new RegExp(String.raw`((?<!\S)--?${name}\s{1,3})(?!-)${value}`, 'gi'),
  // A constant of PHP, a field in a string of JSON, an element of XML.
  new RegExp(String.raw`(${name}["']\s{0,3},\s{0,20})(${quoted})`, 'gi'),
  new RegExp(String.raw`(${name}\\{1,3}["']\s{0,3}(?:=>|:)\s{0,3}\\{1,3}["'])([^"'\\]+)`, 'gi'),
  new RegExp(String.raw`(<${name}(?:\s[^<>]{0,200})?>(?:<!\[CDATA\[)?)(?!\[secret\])([^<\]]+)`, 'gi'),
  new RegExp(
    String.raw`\b((?:mysql|mariadb)[\w-]{0,20}\s(?:[^|;&]{0,400}?\s)?["']?-p)(${quoted}|[^\s"']+)`,
    'g',
  ),
  new RegExp(
    String.raw`\b((?:redis-cli\s(?:[^|;&]{0,400}?\s)?(?:-a|--pass)[\s=]\s{0,3}|REDISCLI_AUTH=))(${quoted}|[^\s"']+)`,
    'g',
  ),
  // Options of openssl.
  /((?<!\S)-{1,2}pass(?:in|out)?[\s=]\s{0,3}["']?pass:)([^\s"']+)/g,
  new RegExp(String.raw`(?<![\w.-])((?:pw\s{0,3}=(?!=)|(?:"pw"|'pw')\s{0,3}(?:=>|:))\s{0,3})${value}`, 'gi'),
  new RegExp(String.raw`\b(sshpass\s{1,3}-p\s{0,3})(${quoted}|\S+)`, 'g'),
  /\b(curl\s(?:[^|;&]{0,400}?\s)?(?:-u|--user)[\s=]["']?[^\s:]{1,100}:)([^\s"']+)/g,
]

const privateKey =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g

const textForms: readonly Replacement[] = [
  [privateKey, masked],
  ...forms,
  ...assignments.map((pattern): Replacement => [pattern, `$1${masked}`]),
]

/** Masks what looks like a secret in plain text. */
export const maskForms = (text: string): string => replaceAll(text, textForms)

const secretOption = new RegExp(`^--?${name}$`, 'i')
const secretArgument = new RegExp(`^(-{0,2}${name}=)(.+)$`, 'is')

const followsSecretOption = (argv: readonly string[], index: number) =>
  secretOption.test(argv[index - 1] ?? '') && !argv[index]?.startsWith('-')

/** Masks arguments that are secrets, whatever characters they contain. */
export const maskArguments = (argv: readonly string[]): string[] =>
  argv.map((argument, index) =>
    followsSecretOption(argv, index) ? masked : argument.replace(secretArgument, `$1${masked}`),
  )

/** The secrets in the arguments of a command, without those that are only filled in when it runs. */
export function secretsIn(argv: readonly string[]): string[] {
  const texts = [...argv, argv.join(' ')]
  const found = [
    ...argv.filter((_, index) => followsSecretOption(argv, index)),
    ...argv.flatMap((argument) => secretArgument.exec(argument)?.[2] ?? []),
    ...texts.flatMap((text) =>
      assignments.flatMap((pattern) => [...text.matchAll(pattern)].map(([, , secret = '']) => secret)),
    ),
    ...argv.flatMap((argument) => (argument.match(/\w+:\/\/[^\s"']+/g) ?? []).flatMap(passwordsOf)),
  ]
  return found
    .map((secret) => secret.replace(/^(["'])(.*)\1$/s, '$2').replace(/^(?:bearer|basic|token)\s+/i, ''))
    .filter((secret) => !/\{[a-z_]+\}|^\$/.test(secret))
}

/** @returns the password of a URL, encoded and decoded; none of other texts */
export function passwordsOf(url: string): readonly string[] {
  // Clients of clusters take lists of servers, which no URL may have.
  const ofOneServer = url.replace(/(@[^/?#,]*),[^/?#]*/, '$1')
  const password = URL.canParse(ofOneServer) ? new URL(ofOneServer).password : ''
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
