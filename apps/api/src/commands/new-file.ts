import { type FileHandle, link, open, realpath, rename, stat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import { Refusal } from './command.ts'

/**
 * Writes a file that is there whole or not at all, and that nobody else may read. What is no file, such as a pipe, is
 * written to as it stands.
 * @throws Refusal where there is one already, unless it may be replaced, or none can be written
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
  // A link stays one, and leads to the new file.
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

/** No room, none for this user, too much for a file system, a disk that fails. */
const full: readonly string[] = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO']

async function through<T>(file: FileHandle, path: string, write: (to: Writable) => Promise<T>) {
  // A pipe or a device has nothing to be flushed to.
  const flush = (await file.stat()).isFile()
  const to = file.createWriteStream({ flush, highWaterMark: 256 * 1024 })
  // Also after an error.
  const closed = new Promise<void>((resolve) => to.once('close', () => resolve()))
  // What fails is told by whoever writes; without a listener it would end the process.
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

/** Under its name in one step, which a crash does not undo. */
async function place(partial: string, target: string, force: boolean): Promise<void> {
  // Made meanwhile by somebody else, it would be lost by a rename.
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
