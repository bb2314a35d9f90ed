import { asciiFqdn } from '@kustos/contract/webs'
import { categories, nodes, webs } from '@kustos/database/tables'
import { isNull, sql } from 'drizzle-orm'
import { type Change, change } from '../audit.ts'
import type { Context } from '../context.ts'
import {
  type ImportedLine,
  type ImportOptions,
  type ImportReport,
  type ReadLine,
  readLines,
} from '../imported-lines.ts'
import { addWeb, changeWeb } from '../webs/index.ts'
import { type WebLine, webLines } from './web-line.ts'

/** Takes back what was written, so that nothing is. */
class Undone extends Error {
  readonly report: ImportReport

  constructor(report: ImportReport) {
    super('Nothing is written')
    this.report = report
  }
}

/**
 * Takes webs from a file: adds those that are missing, and changes those that are there where the file's columns differ.
 * Those that the file lacks stay, and so do fields that it has no column for.
 * @throws UnreadableFile where the file is no list at all
 */
export async function importWebs(
  context: Context,
  file: Uint8Array,
  { fileName, skipBad }: ImportOptions,
): Promise<ImportReport> {
  const read = readLines(file, webLines)
  try {
    return await change(context, async (inside) => {
      const known = await readKnown(inside)
      const lines: ImportedLine[] = []
      for (const line of read) lines.push(await take(inside, known, line))
      const count = (outcome: ImportedLine['outcome']) =>
        lines.filter((line) => line.outcome === outcome).length
      const counts = { added: count('added'), changed: count('changed'), skipped: count('wrong') }
      const isWritten = skipBad || counts.skipped === 0
      if (!isWritten) throw new Undone({ lines, isWritten })
      if (counts.added + counts.changed === 0) inside.unchanged()
      else
        await inside.record({
          log: 'imports',
          description: 'webs imported',
          attributes: { file: fileName, ...counts },
        })
      return { lines, isWritten }
    })
  } catch (error) {
    if (error instanceof Undone) return error.report
    throw error
  }
}

/** What lines are compared with. */
interface Known {
  /** Living webs by their ASCII form. */
  readonly webs: ReadonlyMap<string, { readonly id: number; readonly node: string | null }>
  readonly nodes: ReadonlySet<string>
  /** Ids by name, in lower case. */
  readonly categories: ReadonlyMap<string, number>
}

async function readKnown({ db }: Change): Promise<Known> {
  // Nobody else changes webs meanwhile: whoever holds one of them and waits for the list's revision would stand in the
  // way of whoever has moved that and waits for the web.
  await db.execute(sql`lock table ${webs} in exclusive mode`)
  const nodeRows = await db.select({ id: nodes.id, name: nodes.name }).from(nodes)
  const nodeNames = new Map(nodeRows.map(({ id, name }) => [id, name]))
  const living = await db
    .select({ id: webs.id, ascii: webs.fqdn_ascii, node: webs.node_id })
    .from(webs)
    .where(isNull(webs.deleted_at))
  const categoryRows = await db.select({ id: categories.id, name: categories.name }).from(categories)
  return {
    webs: new Map(
      living.map(({ id, ascii, node }) => [ascii, { id, node: nodeNames.get(node ?? 0) ?? null }]),
    ),
    nodes: new Set(nodeNames.values()),
    categories: new Map(categoryRows.map(({ id, name }) => [name.toLowerCase(), id])),
  }
}

async function take(inside: Change, known: Known, read: ReadLine<WebLine>): Promise<ImportedLine> {
  const { line, name } = read
  const wrong = (message: string): ImportedLine => ({ line, name, outcome: 'wrong', message })
  if ('message' in read) return wrong(read.message)
  const { categories: chosen, node, ...fields } = read.entry
  const there = known.webs.get(asciiFqdn(fields.fqdn) ?? fields.fqdn)
  if (node != null && there !== undefined && there.node !== node) {
    return wrong(`node: It is on ${there.node ?? 'no node'}, and the node of a web cannot change.`)
  }
  if (node != null && !known.nodes.has(node)) return wrong(`node: There is no node '${node}'.`)
  const unknown = chosen?.find((category) => !known.categories.has(category.toLowerCase()))
  if (unknown !== undefined) return wrong(`categories: There is no category '${unknown}'.`)
  const ids = chosen?.flatMap((category) => known.categories.get(category.toLowerCase()) ?? [])
  const input = { ...fields, ...(ids && { categories: ids }) }
  if (there === undefined) {
    await addWeb(inside, { ...input, ...(node != null && { node }) })
    return { line, name, outcome: 'added' }
  }
  return { line, name, outcome: (await changeWeb(inside, there.id, input)) ? 'changed' : 'unchanged' }
}
