import { basename } from 'node:path'
import type { BackupReport } from '@kustos/database/backup'
import { writeToFile } from '@kustos/domain/platform/write-file'
import { type Command, CommandError, type ParsedArgs, requireConfiguration } from './command.ts'
import { logBackup } from './log-backup.ts'

export const backupCommand: Command = {
  name: 'backup',
  usage: `  backup FILE [--force]                      writes a consistent backup of the database while Kustos runs
                                             (- is standard output; --force overwrites an existing file)`,
  positionals: ['FILE'],
  options: { force: { type: 'boolean' } },
  run: runBackup,
}

async function runBackup({ positionals: [path], values: { force } }: ParsedArgs): Promise<void> {
  if (path === undefined) throw new CommandError('FILE is missing; - is standard output.')
  const { DATABASE_URL: url, DATABASE_OWNER_URL: owner = url } = requireConfiguration()
  const { writeBackup } = await import('@kustos/database/backup')
  const ending = new AbortController()
  const end = () => ending.abort(new CommandError('The backup was cancelled, and no file was written.'))
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.once(signal, end)
  try {
    if (path === '-') {
      if (process.stdout.isTTY)
        throw new CommandError('A backup cannot be shown in a terminal: redirect standard output.')
      await printSummary(
        await writeBackup(owner, process.stdout, { signal: ending.signal }),
        'standard output',
      )
    } else {
      const { result, bytes } = await writeToFile(path, { force: force === true }, (to) =>
        writeBackup(owner, to, { signal: ending.signal }),
      )
      await printSummary(result, path, bytes)
    }
  } catch (error) {
    throw ending.signal.aborted ? ending.signal.reason : error
  } finally {
    for (const signal of signals) process.off(signal, end)
  }
}

/** Prints to standard error, since standard output may be the backup. */
async function printSummary({ header, rows }: BackupReport, path: string, bytes?: number): Promise<void> {
  const size = bytes === undefined ? '' : `, ${(bytes / 1e6).toFixed(1)} MB`
  process.stderr.write(
    `Backup of ${header.takenAt}, schema ${header.schema.tag}, to ${path}: ${rows} rows in ${header.sections.length} tables${size}.\n`,
  )
  await logBackup('backup written', { file: basename(path), taken_at: header.takenAt, rows })
}
