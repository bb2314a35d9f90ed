import { comparedDomain } from '@kustos/contract/external-domains'
import { importedDomain, importedEmail } from '@kustos/contract/limitis'
import type { Transaction } from '@kustos/database/client'
import type { z } from 'zod'
import { change } from '../audit.ts'
import type { Context } from '../context.ts'
import { type Columns, type Line, readCsv } from './csv.ts'
import { alone, type Comparison, compareDomains, compareEmails, type Outcome } from './rows.ts'

/** What is to be said of a line of the file. */
export type ImportedLine = { readonly line: number; readonly name: string } & (
  | { readonly outcome: Outcome }
  | { readonly outcome: 'wrong'; readonly message: string }
)

export interface ImportReport {
  readonly lines: readonly ImportedLine[]
  /** False where a line is wrong, and bad ones are not to be skipped: then nothing is. */
  readonly isWritten: boolean
}

export interface ImportOptions {
  /** For the log. */
  readonly fileName: string
  /** Leaves wrong lines out instead of refusing the file. */
  readonly skipBad: boolean
}

interface Kind<Entry> {
  readonly what: 'domains' | 'emails'
  readonly columns: Columns
  readonly schema: z.ZodType<Entry>
  /** Of which there may be one in a file. */
  readonly key: (entry: Entry) => string
  readonly name: (values: Line['values']) => string
  readonly compare: (tx: Transaction, entries: readonly Entry[], now: Date) => Promise<Comparison>
}

const customer = ['customer', 'kunde'] as const

/**
 * Takes own domains from a file: adds those that are missing, and corrects the customer of those that are there. Those
 * that the file lacks stay.
 * @throws UnreadableFile where the file is no list at all
 */
export const importDomains = (context: Context, file: Uint8Array, options: ImportOptions) =>
  importList(context, file, options, {
    what: 'domains',
    columns: { fqdn: ['fqdn', 'domain'], customer },
    schema: importedDomain,
    key: ({ fqdn }) => comparedDomain(fqdn),
    name: ({ fqdn = '' }) => fqdn,
    compare: (tx, entries, now) =>
      compareDomains(
        tx,
        entries.map((entry) => ({ ...entry, fqdn_ascii: comparedDomain(entry.fqdn), created_at: null })),
        now,
      ),
  })

/** The same with mailboxes. @throws UnreadableFile */
export const importEmails = (context: Context, file: Uint8Array, options: ImportOptions) =>
  importList(context, file, options, {
    what: 'emails',
    columns: { address: ['address', 'email', 'adresse'], customer, type: ['type', 'typ', 'art'] },
    schema: importedEmail,
    key: ({ address }) => address,
    name: ({ address = '' }) => address,
    compare: (tx, entries, now) =>
      compareEmails(
        tx,
        entries.map((entry) => ({ ...entry, created_at: null })),
        now,
      ),
  })

async function importList<Entry>(
  context: Context,
  file: Uint8Array,
  { fileName, skipBad }: ImportOptions,
  kind: Kind<Entry>,
): Promise<ImportReport> {
  const read = readLines(file, kind)
  const good = read.flatMap((line) => ('entry' in line ? [line.entry] : []))
  const isWritten = skipBad || good.length === read.length
  return change(context, async (inside) => {
    await alone(inside.db)
    const list = await kind.compare(inside.db, good, inside.now())
    const outcomes = list.outcomes.values()
    const lines = read.map(({ line, name, ...rest }): ImportedLine => {
      if ('message' in rest) return { line, name, outcome: 'wrong', message: rest.message }
      return { line, name, outcome: outcomes.next().value ?? 'unchanged' }
    })
    const count = (outcome: ImportedLine['outcome']) =>
      lines.filter((line) => line.outcome === outcome).length
    const counts = { added: count('added'), changed: count('changed'), skipped: count('wrong') }
    if (!isWritten || counts.added + counts.changed === 0) {
      inside.unchanged()
    } else {
      await list.write()
      await inside.record({
        log: 'limitis',
        description: `${kind.what} imported`,
        attributes: { file: fileName, ...counts },
      })
    }
    return { lines, isWritten }
  })
}

type ReadLine<Entry> = { readonly line: number; readonly name: string } & (
  | { readonly entry: Entry }
  | { readonly message: string }
)

function readLines<Entry>(file: Uint8Array, kind: Kind<Entry>): readonly ReadLine<Entry>[] {
  const seen = new Map<string, number>()
  return readCsv(file, kind.columns).map(({ line, values, mistake }): ReadLine<Entry> => {
    const named = { line, name: kind.name(values) }
    if (mistake !== null) return { ...named, message: `${mistake}.` }
    const parsed = kind.schema.safeParse(values)
    if (!parsed.success) {
      const messages = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
      return { ...named, message: `${messages.join('; ')}.` }
    }
    const key = kind.key(parsed.data)
    const first = seen.get(key)
    if (first !== undefined) return { ...named, message: `It stands on line ${first} already.` }
    seen.set(key, line)
    return { ...named, entry: parsed.data }
  })
}
