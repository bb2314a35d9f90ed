/** Why nothing was backed up or restored, as a sentence for the operator. */
export class BackupError extends Error {}

/** The file differs from what a backup wrote. */
export class DamagedBackupError extends BackupError {
  constructor(reason: string) {
    super(`The backup is cut off or was altered (${reason}): nothing was restored.`)
  }
}
