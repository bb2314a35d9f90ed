import { withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import {
  type ImportedLine,
  type ImportOptions,
  type ImportReport,
  readLines,
} from '../platform/csv-import.ts'
import { conflict } from '../platform/errors.ts'
import { type Evaluation, evaluateLine, readInventory } from './evaluate-lines.ts'
import { webLines } from './web-line.ts'
import { type Added, type Changed, ConcurrentUpdateError, writeWebs } from './write-webs.ts'

/** How often the lines are evaluated while others change the same webs. */
const tries = 5

/**
 * Imports webs from a file: adds the missing ones and updates the others. Webs and fields that the file lacks stay
 * unchanged. The lines are evaluated without locks and written in one transaction, which blocks others only at its end.
 * @throws UnreadableFileError if the file is not a list; DomainError conflict if others keep changing the same webs
 */
export async function importWebs(
  context: Context,
  file: Uint8Array,
  { fileName, skipBad }: ImportOptions,
): Promise<ImportReport> {
  const read = readLines(file, webLines)
  for (let attempt = 1; attempt <= tries; attempt++) {
    const known = await readInventory(context.db)
    const evaluated = read.map((line) => evaluateLine(known, line))
    const lines = read.map(({ line, name }, index) => lineResult(line, name, evaluated[index]))
    const added = evaluated.filter((line): line is Added => line.outcome === 'added')
    const changed = evaluated.filter((line): line is Changed => line.outcome === 'changed')
    const skipped = lines.filter(({ outcome }) => outcome === 'invalid').length
    if (skipped > 0 && !skipBad) return { lines, isWritten: false }
    if (added.length + changed.length === 0) return { lines, isWritten: true }
    try {
      await withAudit(context, (tx) =>
        writeWebs(tx, known, added, changed, (counts) =>
          tx.record({
            log: 'imports',
            description: 'webs imported',
            attributes: { file: fileName, ...counts, skipped },
          }),
        ),
      )
      return { lines, isWritten: true }
    } catch (error) {
      if (!(error instanceof ConcurrentUpdateError)) throw error
    }
  }
  throw conflict('import_contended')
}

function lineResult(line: number, name: string, evaluation: Evaluation | undefined): ImportedLine {
  if (evaluation?.outcome === 'invalid')
    return { line, name, outcome: 'invalid', message: evaluation.message }
  return { line, name, outcome: evaluation?.outcome ?? 'unchanged' }
}
