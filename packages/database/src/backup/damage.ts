/** Why there is no backup, or nothing was restored: a sentence for the operator. */
export class BackupRefusal extends Error {}

/** The file is not what a backup wrote. */
export class Damaged extends BackupRefusal {
  constructor(how: string) {
    super(`The backup is cut off or was altered (${how}): nothing was restored.`)
  }
}
