import { randomBytes } from 'node:crypto'
import { access, chmod, constants, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { places } from './places.ts'
import { codeOf, Refusal, reasonOf } from './refusal.ts'

export interface DataFolder {
  readonly path: string
  /** As it is called in a sentence: from the checkout where it lies in there. */
  readonly name: string
  readonly postgres: string
  readonly logs: string
  /** How a file in there is called in a sentence. */
  nameOf(path: string): string
  release(): Promise<void>
}

/**
 * Makes the data folder where it does not exist and takes it for this process alone.
 *
 * @param path relative to the checkout
 * @param address where this Kustos is to be found, for whoever comes second
 * @throws Refusal where it cannot be written or another Kustos has it
 */
export async function takeDataFolder(path: string, address: string): Promise<DataFolder> {
  const folder = resolve(places.root, path)
  const nameOf = (file: string) => {
    const inside = relative(places.root, file)
    return inside.startsWith('..') ? file : inside || '.'
  }
  const name = nameOf(folder)
  const logs = join(folder, 'logs')
  const holder = join(folder, 'holder')
  try {
    // Others may pass, so that the user whom Postgres runs as gets to its own folder; its secrets are closed.
    if (await makeFolder(folder)) await chmod(folder, 0o711)
    if (await makeFolder(logs)) await chmod(logs, 0o700)
    await access(folder, constants.W_OK)
  } catch (error) {
    throw new Refusal(
      `The data folder ${name} cannot be written (${codeOf(error) ?? reasonOf(error)}): give another one in KUSTOS_DATA_DIR.`,
    )
  }
  const lock = await takeLock(join(folder, 'lock'), name, holder)
  await writeFile(holder, `process ${process.pid}, ${address}`)
  return {
    path: folder,
    name,
    nameOf,
    postgres: join(folder, 'postgres'),
    logs,
    async release() {
      await rm(holder, { force: true })
      lock.close()
    },
  }
}

/**
 * Makes a folder and those above it. Node's own recursive way never comes back where a system answers ENOENT for a
 * folder whose parent exists, as /proc does.
 *
 * @returns whether it is new
 */
async function makeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    if (codeOf(error) !== 'ENOENT' || !(await makeFolder(dirname(path)))) throw error
    await mkdir(path)
    return true
  }
}

/**
 * SQLite's lock is the system's own on the file, which ends with the process that held it, however that ended: a
 * number in a file would outlive a kill -9 and be taken for somebody else's later.
 */
async function takeLock(path: string, name: string, holder: string): Promise<DatabaseSync> {
  try {
    const database = new DatabaseSync(path)
    database.exec('begin exclusive')
    return database
  } catch (error) {
    const busy = error instanceof Error && 'errcode' in error && error.errcode === 5
    if (!busy) throw new Refusal(`The data folder ${name} cannot be locked: ${reasonOf(error)}.`)
    const who = await readFile(holder, 'utf8').catch(() => 'starting just now')
    throw new Refusal(
      `Kustos already runs on the data folder ${name} (${who}): stop it first, or give another folder in KUSTOS_DATA_DIR.`,
    )
  }
}

/** The secret that signs cookies, made once and kept, so that a restart signs nobody out. */
export async function keepSecret(folder: DataFolder): Promise<string> {
  const path = join(folder.path, 'session-secret')
  const kept = await readFile(path, 'utf8').catch(() => '')
  if (kept.trim().length >= 32) return kept.trim()
  const secret = randomBytes(48).toString('base64url')
  await writeFile(`${path}.new`, `${secret}\n`, { mode: 0o600 })
  await rename(`${path}.new`, path)
  return secret
}
