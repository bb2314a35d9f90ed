import { type FileHandle, link, open, realpath, rename, stat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import { Refusal } from './command.ts'

/**
 * Writes a file atomically and readable by its owner only. Other targets, such as pipes, are written to directly.
 * @throws Refusal if the file exists and may not be replaced, or cannot be written
 */
export async function intoFile<T>(
  path: string,
  { force }: { readonly force: boolean },
  write: (to: Writable) => Promise<T>,
): Promise<{ readonly result: T; readonly bytes: number }> {
  const there = await stat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw unwritable(path, error)
  })
  if (there && !there.isFile()) {
    if (there.isDirectory()) throw new Refusal(`${path} is a folder.`)
    return through(await open(path, 'w').catch(refuse(path)), path, write)
  }
  if (there && !force) throw new Refusal(`${path} is there already: --force takes its place.`)
  // A symbolic link is kept and leads to the new file.
  const target = there ? await realpath(path) : path
  const partial = `${target}.${process.pid}.partial`
  const file = await open(partial, 'wx', 0o600).catch(refuse(path))
  try {
    const written = await through(file, path, write)
    await place(partial, target, force).catch(refuse(path))
    return written
  } catch (error) {
    await unlink(partial).catch(refuse(partial))
    throw error
  }
}

/** Disk full, quota exceeded, file too large, or a failing disk. */
const full: readonly string[] = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO']

async function through<T>(file: FileHandle, path: string, write: (to: Writable) => Promise<T>) {
  // Pipes and devices cannot be flushed.
  const flush = (await file.stat()).isFile()
  const to = file.createWriteStream({ flush, highWaterMark: 256 * 1024 })
  // Also after an error.
  const closed = new Promise<void>((resolve) => to.once('close', () => resolve()))
  // The writer reports errors. Without a listener they would end the process.
  to.on('error', () => undefined)
  try {
    const result = await write(to)
    return { result, bytes: to.bytesWritten }
  } catch (error) {
    throw full.includes(codeOf(error)) ? unwritable(path, error) : error
  } finally {
    to.destroy()
    await closed
  }
}

/** Renames the file durably. */
async function place(partial: string, target: string, force: boolean): Promise<void> {
  // A rename would overwrite a file that someone else has created since.
  const linked = !force && (await linkedTo(partial, target))
  if (linked) await unlink(partial)
  else await rename(partial, target)
  const folder = await open(dirname(target), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** @returns false on file systems without links */
async function linkedTo(partial: string, target: string): Promise<boolean> {
  try {
    await link(partial, target)
    return true
  } catch (error) {
    if (['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(codeOf(error))) return false
    throw error
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const unwritable = (path: string, error: unknown) =>
  new Refusal(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`, {
    cause: error,
  })

const refuse = (path: string) => (error: unknown) => {
  throw unwritable(path, error)
}
