import { normalizeDomain } from '@kustos/contract/external-domains'
import { importedDomain, importedEmail } from '@kustos/contract/limitis'
import { englishText } from '@kustos/contract/messages/english'
import type { Transaction } from '@kustos/database/client'
import { customers } from '@kustos/database/tables'
import { withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import {
  type ImportedLine,
  type ImportOptions,
  type ImportReport,
  type LineKind,
  type ReadLine,
  readLines,
} from '../platform/csv-import.ts'
import { lockInTransaction } from '../platform/locks.ts'
import { readNewCode } from '../platform/merged-codes.ts'
import { endFailure } from '../platform/sync-state.ts'
import { type Comparison, compareDomains, compareEmails, lockLists } from './compare-lists.ts'
import { registrarLists } from './sync.ts'

interface Kind<Entry extends Owned> extends LineKind<Entry> {
  readonly what: 'domains' | 'emails'
  readonly compare: (tx: Transaction, entries: readonly Entry[], now: Date) => Promise<Comparison>
}

interface Owned {
  readonly customer: string
}

const customer = { called: ['customer', 'kunde'] }

/**
 * Imports own domains from a file: adds the missing ones and updates the customer of the others. None are removed.
 * @throws UnreadableFileError if the file is not a list
 */
export const importDomains = (context: Context, file: Uint8Array, options: ImportOptions) =>
  importList(context, file, options, {
    what: 'domains',
    columns: { fqdn: { called: ['fqdn', 'domain'] }, customer },
    schema: importedDomain,
    key: ({ fqdn }) => normalizeDomain(fqdn),
    name: ({ fqdn = '' }) => fqdn,
    compare: (tx, entries, now) =>
      compareDomains(
        tx,
        entries.map((entry) => ({ ...entry, fqdn_ascii: normalizeDomain(entry.fqdn) })),
        now,
      ),
  })

/** The same for mailboxes. @throws UnreadableFileError */
export const importEmails = (context: Context, file: Uint8Array, options: ImportOptions) =>
  importList(context, file, options, {
    what: 'emails',
    columns: {
      address: { called: ['address', 'email', 'adresse'] },
      customer,
      type: { called: ['type', 'typ', 'art'] },
    },
    schema: importedEmail,
    key: ({ address }) => address,
    name: ({ address = '' }) => address,
    compare: compareEmails,
  })

async function importList<Entry extends Owned>(
  context: Context,
  file: Uint8Array,
  { fileName, skipBad }: ImportOptions,
  kind: Kind<Entry>,
): Promise<ImportReport> {
  const read = await readCustomers(context, readLines(file, kind))
  const good = read.flatMap((line) => ('entry' in line ? [line.entry] : []))
  const isWritten = skipBad || good.length === read.length
  return withAudit(context, async (tx) => {
    await lockInTransaction(tx.db, registrarLists.lock)
    await lockLists(tx.db)
    const list = await kind.compare(tx.db, good, tx.now())
    const outcomes = list.outcomes.values()
    const lines = read.map(({ line, name, ...rest }): ImportedLine => {
      if ('message' in rest) return { line, name, outcome: 'invalid', message: rest.message }
      return { line, name, outcome: outcomes.next().value ?? 'unchanged' }
    })
    const count = (outcome: ImportedLine['outcome']) =>
      lines.filter((line) => line.outcome === outcome).length
    const counts = { added: count('added'), changed: count('changed'), skipped: count('invalid') }
    // No registrar is configured any more, so no sync would end it.
    if (isWritten) await endFailure(tx.db, registrarLists)
    if (!isWritten || counts.added + counts.changed === 0) {
      tx.skipAudit()
    } else {
      await list.write()
      await tx.record({
        log: 'limitis',
        description: `${kind.what} imported`,
        attributes: { file: fileName, ...counts },
      })
    }
    return { lines, isWritten }
  })
}

/** A code that a customer has, or had before a merge, stays as it is. */
async function readCustomers<Entry extends Owned>(
  { db }: Pick<Context, 'db'>,
  lines: readonly ReadLine<Entry>[],
): Promise<readonly ReadLine<Entry>[]> {
  const rows = await db.select({ code: customers.code, spellings: customers.spellings }).from(customers)
  const known = new Set(rows.flatMap(({ code, spellings }) => [code, ...spellings]))
  return lines.map((line) => {
    if ('message' in line || known.has(line.entry.customer)) return line
    const read = readNewCode(line.entry.customer)
    const { line: number, name, entry } = line
    return 'code' in read
      ? { line: number, name, entry: { ...entry, customer: read.code } }
      : { line: number, name, message: `customer: ${englishText(read.refusal)}.` }
  })
}
