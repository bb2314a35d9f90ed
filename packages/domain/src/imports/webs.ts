import { change } from '../audit.ts'
import type { Context } from '../context.ts'
import { conflict } from '../errors.ts'
import { type ImportedLine, type ImportOptions, type ImportReport, readLines } from '../imported-lines.ts'
import { type Judgement, judgeLine, readKnown } from './web-judging.ts'
import { webLines } from './web-line.ts'
import { type Added, type Changed, Overtaken, writeWebs } from './web-writing.ts'

/** How often lines are judged anew where others keep changing the same webs. */
const tries = 5

/**
 * Takes webs from a file: adds those that are missing, and changes those that are there where the file's columns differ.
 * Those that the file lacks stay, and so do fields that it has no column for. Judged without a lock, and written in one
 * transaction that others wait for only at its end.
 * @throws UnreadableFile where the file is no list at all; DomainError conflict where others keep changing the same webs
 */
export async function importWebs(
  context: Context,
  file: Uint8Array,
  { fileName, skipBad }: ImportOptions,
): Promise<ImportReport> {
  const read = readLines(file, webLines)
  for (let attempt = 1; attempt <= tries; attempt++) {
    const known = await readKnown(context.db)
    const judged = read.map((line) => judgeLine(known, line))
    const lines = read.map(({ line, name }, index) => told(line, name, judged[index]))
    const added = judged.filter((line): line is Added => line.outcome === 'added')
    const changed = judged.filter((line): line is Changed => line.outcome === 'changed')
    const skipped = lines.filter(({ outcome }) => outcome === 'wrong').length
    if (skipped > 0 && !skipBad) return { lines, isWritten: false }
    if (added.length + changed.length === 0) return { lines, isWritten: true }
    try {
      await change(context, (inside) =>
        writeWebs(inside, known, added, changed, (counts) =>
          inside.record({
            log: 'imports',
            description: 'webs imported',
            attributes: { file: fileName, ...counts, skipped },
          }),
        ),
      )
      return { lines, isWritten: true }
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error
    }
  }
  throw conflict('Others keep changing the webs of this file. Nothing was written: import it again.')
}

function told(line: number, name: string, judgement: Judgement | undefined): ImportedLine {
  if (judgement?.outcome === 'wrong') return { line, name, outcome: 'wrong', message: judgement.message }
  return { line, name, outcome: judgement?.outcome ?? 'unchanged' }
}
