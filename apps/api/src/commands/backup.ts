import { basename } from 'node:path'
import type { BackupReport } from '@kustos/database/backup'
import { type Command, configured, type ParsedArgs, Refusal } from './command.ts'
import { logBackup } from './log-backup.ts'
import { intoFile } from './new-file.ts'

export const backup: Command = {
  name: 'backup',
  usage: `  backup FILE [--force]                      writes all that the database holds, as of one moment, while others go
                                             on working (- is standard output; --force takes the place of a file)`,
  positionals: ['FILE'],
  options: { force: { type: 'boolean' } },
  run: takeBackup,
}

async function takeBackup({ positionals: [path], values: { force } }: ParsedArgs): Promise<void> {
  if (path === undefined) throw new Refusal('A backup is to a FILE, or to - for standard output.')
  const { DATABASE_URL: url, DATABASE_OWNER_URL: owner = url } = configured()
  const { writeBackup } = await import('@kustos/database/backup')
  const ending = new AbortController()
  const end = () => ending.abort(new Refusal('The backup was broken off: there is none.'))
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.once(signal, end)
  try {
    if (path === '-') {
      if (process.stdout.isTTY) throw new Refusal('A backup is nothing to read: send it somewhere.')
      await sumUp(await writeBackup(owner, process.stdout, { signal: ending.signal }), 'standard output')
    } else {
      const { result, bytes } = await intoFile(path, { force: force === true }, (to) =>
        writeBackup(owner, to, { signal: ending.signal }),
      )
      await sumUp(result, path, bytes)
    }
  } catch (error) {
    throw ending.signal.aborted ? ending.signal.reason : error
  } finally {
    for (const signal of signals) process.off(signal, end)
  }
}

/** Not to standard output, which may be the backup. */
async function sumUp({ header, rows }: BackupReport, path: string, bytes?: number): Promise<void> {
  const size = bytes === undefined ? '' : `, ${(bytes / 1e6).toFixed(1)} MB`
  process.stderr.write(
    `Backup of ${header.takenAt}, schema ${header.schema.tag}, to ${path}: ${rows} rows of ${header.sections.length} tables${size}.\n`,
  )
  await logBackup('backup written', { file: basename(path), taken_at: header.takenAt, rows })
}
