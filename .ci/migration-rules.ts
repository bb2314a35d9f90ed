import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { command } from './command.ts'

interface Release {
  readonly name: string
}

interface File {
  readonly tag: string
  readonly sql: string
}

interface Finding {
  readonly rule: string
  /** From 0. */
  readonly line: number
  readonly message: string
}

/** Rules of Squawk (squawkhq.com/docs/rules) that do not apply: the migrator has timeouts, and ids are integers. */
const excluded = [
  'require-lock-timeout',
  'require-statement-timeout',
  'prefer-bigint-over-int',
  'prefer-bigint-over-smallint',
]

/** What programs of the last release may still need. Rules about locks need a reason only. */
const breaking: ReadonlySet<string> = new Set([
  'ban-drop-column',
  'ban-drop-table',

  'renaming-column',
  'renaming-table',
  'renaming-constraint',
  'changing-column-type',
  'adding-not-nullable-field',
  'adding-required-field',
  'dropping-function',
])

/** Rules that Squawk does not have, for a statement without its comments. */
const ownRules: readonly { rule: string; pattern: RegExp; message: string }[] = [
  {
    rule: 'renaming-constraint',
    pattern: /^\s*alter\s+(index\b.*\brename\s+to|table\b.*\brename\s+constraint)\b/is,
    message: 'Programs recognise a violated constraint or unique index by its name.',
  },
  {
    rule: 'dropping-function',
    pattern: /^\s*drop\s+(function|procedure|trigger|type|view|materialized\s+view|sequence)\b/i,
    message: 'Programs of the last release may rely on it.',
  },
  {
    rule: 'changing-rows',
    pattern:
      /(?:^|\)|;|\bbegin|\bthen|\bloop)\s*(?:update|delete\s+from|truncate|merge\s+into)\s+(?:only\s+|table\s+)?"?(?<table>\w+)/i,
    message: 'Changing many rows in one transaction locks them until its end.',
  },
]

const breakpoint = '--> statement-breakpoint'
const withoutComments = (sql: string) => sql.replace(/--.*$/gm, '')

/** Whether it runs outside of a transaction (packages/database/src/apply-migration.ts). */
export const isConcurrent = ({ sql }: File): boolean => /\bconcurrently\b/i.test(withoutComments(sql))

/**
 * Returns a sentence for each statement that breaks a rule of docs/migrations.md without saying why it may.
 * @param files either all of them concurrent, or none
 * @param releases the oldest first
 */
export async function findUnsafeStatements(
  folder: string,
  files: readonly File[],
  releases: readonly Release[],
): Promise<readonly string[]> {
  if (files.length === 0) return []
  const bySquawk = await runSquawk(folder, files)
  return files.flatMap((file) => {
    const findings = [...(bySquawk.get(file.tag) ?? []), ...findOwn(file)]
    return [
      ...judgeStatements(file, findings, releases),
      ...(isConcurrent(file) ? findMixedStatements(file) : []),
      ...(/squawk-ignore/.test(file.sql)
        ? [`${file.tag}.sql: use \`-- allow\` instead of squawk-ignore.`]
        : []),
    ]
  })
}

async function runSquawk(folder: string, files: readonly File[]) {
  const { output } = await command(process.execPath, [
    fileURLToPath(import.meta.resolve('squawk-cli/js/bin/squawk')),
    '--reporter=json',
    '--pg-version=18',
    `--exclude=${excluded.join()}`,
    files.some(isConcurrent) ? '--no-assume-in-transaction' : '--assume-in-transaction',
    ...files.map(({ tag }) => join(folder, `${tag}.sql`)),
  ])
  if (!output.startsWith('[')) throw new Error(`Squawk failed: ${output}`)
  const found: { file: string; line: number; rule_name: string; message: string; help: string | null }[] =
    JSON.parse(output)
  const byTag = Map.groupBy(found, ({ file }) => files.find(({ tag }) => file.endsWith(`/${tag}.sql`))?.tag)
  return new Map(
    [...byTag].map(([tag, list]) => [
      tag,
      list.map(
        ({ rule_name: rule, line, message, help }): Finding => ({
          rule,
          line,
          message: [message, help ?? ''].join(' ').trim(),
        }),
      ),
    ]),
  )
}

/** The statements between breakpoints and their first lines, from 0. */
function splitStatements({ sql }: File) {
  let line = 0
  return sql.split(breakpoint).map((text) => {
    const first = line + (/^\s*/.exec(text)?.[0].split('\n').length ?? 1) - 1
    line += text.split('\n').length - 1
    return { text, first, last: line }
  })
}

function findOwn(file: File): readonly Finding[] {
  const created = [...file.sql.matchAll(/\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?"?(\w+)/gi)].map(
    ([, name]) => name,
  )
  return splitStatements(file).flatMap(({ text, first }) => {
    const statement = withoutComments(text)
    if (/^\s*create\s+(or\s+replace\s+)?(function|procedure)\b/i.test(statement)) return []
    const line =
      first +
      text
        .trimStart()
        .slice(0, text.trimStart().search(/^[^\S\n]*[^\s-]/m))
        .split('\n').length -
      1
    return ownRules.flatMap(({ rule, pattern, message }): readonly Finding[] => {
      const match = pattern.exec(statement)
      if (match === null || created.includes(match.groups?.table)) return []
      return [{ rule, line, message }]
    })
  })
}

/** Compares the findings of each statement with the comments that allow them. */
function judgeStatements(
  file: File,
  findings: readonly Finding[],
  releases: readonly Release[],
): readonly string[] {
  return splitStatements(file).flatMap(({ text, first, last }) => {
    const found = findings.filter(({ line }) => line >= first && line <= last)
    const allowed = [
      ...text.matchAll(/^-- allow ([\w-]+)(?:, last used in ([^\s:]+)|, (replaced below))?: \S.*$/gm),
    ].map(([, rule = '', release, replaced]) => ({ rule, release, isReplaced: replaced !== undefined }))
    const unsafe = found.flatMap(({ rule, line, message }) => {
      const place = `${file.tag}.sql:${line + 1}: `
      const permit = allowed.find((each) => each.rule === rule)
      if (
        permit === undefined ||
        (breaking.has(rule) && permit.release === undefined && !permit.isReplaced)
      ) {
        const since = breaking.has(rule) ? ', last used in <release>' : ''
        return [`${place}${message} See docs/migrations.md, or write \`-- allow ${rule}${since}: <reason>\`.`]
      }
      if (permit.release === undefined) return []
      const index = releases.findIndex(({ name }) => name === permit.release)
      if (index === -1) return [`${place}there is no release ${permit.release}.`]
      if (index === releases.length - 1)
        return [`${place}release ${permit.release} still runs while this migration is applied.`]
      return []
    })
    const stale = allowed
      .filter(({ rule }) => !found.some((each) => each.rule === rule))
      .map(({ rule }) => `${file.tag}.sql:${first + 1}: allows ${rule}, which does not occur.`)
    return [...new Set([...unsafe, ...stale])]
  })
}

/** What is repeated after a crash has to be a single statement that can be repeated. */
function findMixedStatements(file: File): readonly string[] {
  return splitStatements(file).flatMap(({ text, first }) => {
    const statement = withoutComments(text).trim()
    const place = `${file.tag}.sql:${first + 1}: `
    if (!/^(create\s+(unique\s+)?|drop\s+)index\s+concurrently\b/i.test(statement))
      return [`${place}a file with concurrent indexes contains nothing else.`]
    if (/;\s*\S/.test(statement))
      return [`${place}a file with concurrent indexes has one statement between breakpoints.`]
    return []
  })
}
