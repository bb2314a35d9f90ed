import { randomUUID } from 'node:crypto'
import { type FileHandle, link, open, realpath, rename, stat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'

/** Its message is a sentence for the operator. */
export class FileError extends Error {}

/** Marks a file that is not complete yet. If one remains, the process that wrote it has ended. */
export const partialSuffix = '.partial'

/**
 * Writes a file atomically and readable by its owner only. Other targets, such as pipes, are written to directly.
 * @throws FileError if the file exists and may not be replaced, or cannot be written
 */
export async function writeToFile<T>(
  path: string,
  { force }: { readonly force: boolean },
  write: (to: Writable) => Promise<T>,
): Promise<{ readonly result: T; readonly bytes: number }> {
  const existing = await stat(path).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null
    throw writeError(path, error)
  })
  if (existing && !existing.isFile()) {
    if (existing.isDirectory()) throw new FileError(`${path} is a folder.`)
    return writeThrough(await open(path, 'w').catch(throwWriteError(path)), path, write)
  }
  if (existing && !force) throw new FileError(`${path} already exists; use --force to overwrite it.`)
  // A symbolic link is kept and leads to the new file.
  const target = existing ? await realpath(path) : path
  const partial = `${target}.${randomUUID()}${partialSuffix}`
  const file = await open(partial, 'wx', 0o600).catch(throwWriteError(path))
  try {
    const written = await writeThrough(file, path, write)
    await moveIntoPlace(partial, target, force).catch(throwWriteError(path))
    return written
  } catch (error) {
    await unlink(partial).catch(throwWriteError(partial))
    throw error
  }
}

/** Disk full, quota exceeded, file too large, or a failing disk. */
const diskErrorCodes: readonly string[] = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO']

async function writeThrough<T>(file: FileHandle, path: string, write: (to: Writable) => Promise<T>) {
  // Pipes and devices cannot be flushed.
  const flush = (await file.stat()).isFile()
  const to = file.createWriteStream({ flush, highWaterMark: 256 * 1024 })
  // Emitted after an error too.
  const closed = new Promise<void>((resolve) => to.once('close', () => resolve()))
  // The writer reports errors. Without a listener they would end the process.
  to.on('error', () => undefined)
  try {
    const result = await write(to)
    return { result, bytes: to.bytesWritten }
  } catch (error) {
    throw diskErrorCodes.includes(errorCode(error)) ? writeError(path, error) : error
  } finally {
    to.destroy()
    await closed
  }
}

async function moveIntoPlace(partial: string, target: string, force: boolean): Promise<void> {
  // A rename would overwrite a file that someone else has created since.
  const isLinked = !force && (await tryLink(partial, target))
  if (isLinked) await unlink(partial)
  else await rename(partial, target)
  const folder = await open(dirname(target), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** @returns false on file systems without links */
async function tryLink(partial: string, target: string): Promise<boolean> {
  try {
    await link(partial, target)
    return true
  } catch (error) {
    if (['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(errorCode(error))) return false
    throw error
  }
}

const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const writeError = (path: string, error: unknown) =>
  new FileError(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`, {
    cause: error,
  })

const throwWriteError = (path: string) => (error: unknown) => {
  throw writeError(path, error)
}
