export { BackupError } from './errors.ts'
export { type RestoreReport, restoreBackup } from './restore.ts'
export { type BackupReport, writeBackup } from './write.ts'
