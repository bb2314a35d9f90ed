import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { taskReportFields } from '../apps/worker/src/periodic-tasks.ts'
import { root } from './command.ts'
import { sources } from './sources.ts'

const programs = /^(?:apps\/(?:api|worker)|packages\/(?:clients|database|domain))\/src\/.*\.ts$/

/** @returns the fields that docs/observability.md has in its table of log fields */
function documentedLogFields(page: string): ReadonlySet<string> {
  const [, table = ''] = /^\| field \|.*\n\| --- .*\n((?:\|.*\n)+)/m.exec(page) ?? []
  const cells = table.split('\n').map((row) => row.split('|', 2)[1] ?? '')
  return new Set(cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)))
}

/** @returns complaints about fields that the programs log and the table lacks */
export async function findUndocumentedLogFields(page: string): Promise<string[]> {
  const documented = documentedLogFields(page)
  const files = (await sources()).filter((file) => programs.test(file))
  const logged = await Promise.all(
    files.map(async (file) =>
      findLoggedFields(await readFile(join(root, file), 'utf8')).map((field) => ({ file, field })),
    ),
  )
  const all = [
    ...logged.flat(),
    ...taskReportFields.map((field) => ({ file: 'apps/worker/src/periodic-tasks.ts', field })),
  ]
  return all
    .filter(({ field }) => !documented.has(field))
    .map(({ file, field }) => `docs/observability.md lacks the log field ${field} of ${file}`)
}

/** The keys of the objects that a source passes to its log. Those of variables are checked where they are logged. */
function findLoggedFields(source: string): string[] {
  return [...source.matchAll(/\b(?:log(?:\.\w+|\[[^\]]+\])|logWith)\(\s*\{/g)].flatMap((call) => {
    const object = readObject(source, call.index + call[0].length - 1)
    return [...object.matchAll(/[{,]\s*(\w+)\s*(?=[:,}])/g)].map(([, key = '']) => key)
  })
}

/** The text from an opening brace to its closing one, without comments and the arguments of calls. */
function readObject(source: string, start: number): string {
  let text = ''
  let braces = 0
  let parentheses = 0
  for (const character of source.slice(start).replace(/\/\/.*$/gm, '')) {
    if (character === '(') parentheses += 1
    if (character === ')') parentheses -= 1
    // Of `...(condition && { key })` the parentheses are no call, but its braces open and close inside.
    if (character === '{') braces += 1
    if (parentheses === 0 || braces > 1) text += character
    if (character === '}') braces -= 1
    if (braces === 0) return text
  }
  return text
}
