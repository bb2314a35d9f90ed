import { randomBytes } from 'node:crypto'
import { access, chmod, constants, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { replaceFile } from './files.ts'
import { paths } from './paths.ts'
import { describeError, errorCode, StartError } from './start-error.ts'

export type DataFolder = Awaited<ReturnType<typeof openDataFolder>>

/** A path for messages, relative to the repository if it is inside. */
export function displayPath(path: string): string {
  const relativePath = relative(paths.root, path)
  return relativePath.startsWith('..') ? path : relativePath || '.'
}

/**
 * Creates the data folder if necessary and locks it for this process.
 *
 * @param path relative to the repository
 * @param address of this Kustos, for the error message of a second start
 * @throws StartError if it is not writable or locked
 */
export async function openDataFolder(path: string, address: string) {
  const folder = resolve(paths.root, path)
  const name = displayPath(folder)
  const logs = join(folder, 'logs')
  const holderFile = join(folder, 'holder')
  try {
    // The user that Postgres runs as must be able to reach its own folder; everything secret is protected.
    if (await createFolder(folder)) await chmod(folder, 0o711)
    if (await createFolder(logs)) await chmod(logs, 0o700)
    await access(folder, constants.W_OK)
  } catch (error) {
    throw new StartError(
      `The data folder ${name} cannot be written (${errorCode(error) ?? describeError(error)}): set KUSTOS_DATA_DIR to another one.`,
    )
  }
  const lock = await lockFolder(join(folder, 'lock'), name, holderFile)
  await writeFile(holderFile, `process ${process.pid}, ${address}`)
  return {
    path: folder,
    postgres: join(folder, 'postgres'),
    logs,
    async release() {
      await rm(holderFile, { force: true })
      lock.close()
    },
  }
}

/**
 * Creates a folder and its parents. Node's recursive mkdir never returns if a system answers ENOENT although the parent exists,
 * as in /proc.
 *
 * @returns whether it is new
 */
async function createFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    if (errorCode(error) !== 'ENOENT' || !(await createFolder(dirname(path)))) throw error
    await mkdir(path)
    return true
  }
}

/** SQLite uses a file lock of the system, which disappears with its process even after a SIGKILL. */
async function lockFolder(path: string, name: string, holderFile: string): Promise<DatabaseSync> {
  try {
    const database = new DatabaseSync(path)
    database.exec('begin exclusive')
    return database
  } catch (error) {
    const isBusy = error instanceof Error && 'errcode' in error && error.errcode === 5
    if (!isBusy) throw new StartError(`The data folder ${name} cannot be locked: ${describeError(error)}.`)
    const holder = await readFile(holderFile, 'utf8').catch(() => 'starting just now')
    throw new StartError(
      `Kustos already runs on the data folder ${name} (${holder}): stop it first, or set KUSTOS_DATA_DIR to another folder.`,
    )
  }
}

/**
 * Returns a secret of the data folder, which is made at the first start.
 * @param name of its file
 * @param encoding of its bytes
 */
export async function readSecret(
  folder: DataFolder,
  name: string,
  bytes: number,
  encoding: 'base64' | 'base64url',
): Promise<string> {
  const path = join(folder.path, name)
  const stored = (await readFile(path, 'utf8').catch(() => '')).trim()
  if (Buffer.from(stored, encoding).length === bytes) return stored
  const secret = randomBytes(bytes).toString(encoding)
  await replaceFile(path, `${secret}\n`, 0o600)
  return secret
}
