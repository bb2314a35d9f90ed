import { access, constants, stat } from 'node:fs/promises'
import { errorMessage } from '../platform/errors.ts'

/** @throws Error with a sentence if the folder of the archives cannot be used */
export async function checkArchiveFolder(folder: string): Promise<void> {
  try {
    if (!(await stat(folder)).isDirectory()) throw new Error('not a directory')
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new Error(`The folder of AUDIT_ARCHIVE_DIR cannot be written to: ${errorMessage(error)}.`, {
      cause: error,
    })
  }
}
