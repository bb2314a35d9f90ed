import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import type { RestoreReport } from '@kustos/database/backup'
import { type Command, configured, type ParsedArgs, Refusal, say } from './command.ts'
import { logBackup } from './log-backup.ts'

export const restore: Command = {
  name: 'restore',
  usage: `  restore FILE                               restores a backup into an empty database in one transaction, then
                                             migrates it (- is standard input)`,
  positionals: ['FILE'],
  run: restoreFromFile,
}

async function restoreFromFile({ positionals: [path] }: ParsedArgs): Promise<void> {
  if (path === undefined) throw new Refusal('A restore is from a FILE, or from - for standard input.')
  const { restoreBackup } = await import('@kustos/database/backup')
  const { DATABASE_URL: url, DATABASE_OWNER_URL: owner = url } = configured()
  const source = path === '-' ? process.stdin : createReadStream(path, { highWaterMark: 256 * 1024 })
  const unreadable = new Promise<never>((_, reject) =>
    source.once('error', (error: Error) =>
      reject(new Refusal(`The backup cannot be read: ${error.message}`)),
    ),
  )
  try {
    const restored = await Promise.race([restoreBackup(owner, source), unreadable])
    const { header, rows } = restored
    const file = path === '-' ? 'standard input' : basename(path)
    await logBackup('backup restored', { file, taken_at: header.takenAt, rows })
    report(restored)
  } finally {
    source.destroy()
  }
}

function report({ header, rows, schema, waiting }: RestoreReport): void {
  say(
    `Restored the backup of ${header.takenAt}: ${rows} rows of ${header.sections.length} tables. The schema is ${schema}${schema === header.schema.tag ? '' : `, and was ${header.schema.tag}`}.`,
  )
  say('Everybody has to sign in again. Empty the Redis of the job queue, where there is one.')
  const { deployments, inspections, alerts } = waiting
  if (deployments + inspections + alerts > 0)
    say(
      `Deployments under way: ${deployments}, inspections: ${inspections}, alerts to send: ${alerts}. A worker goes on with them as it starts.`,
    )
}
