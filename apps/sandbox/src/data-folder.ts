import { randomBytes } from 'node:crypto'
import { access, chmod, constants, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { places } from './places.ts'
import { codeOf, Refusal, reasonOf } from './refusal.ts'

export interface DataFolder {
  readonly path: string
  /** As it is called in a sentence: from the checkout where it lies in there. */
  readonly name: string
  readonly postgres: string
  readonly logs: string
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
  const inside = relative(places.root, folder)
  const name = inside.startsWith('..') ? folder : inside || '.'
  const logs = join(folder, 'logs')
  const holder = join(folder, 'holder')
  try {
    // Others may pass, so that the user whom Postgres runs as gets to its own folder; its secrets are closed.
    if ((await mkdir(folder, { recursive: true })) !== undefined) await chmod(folder, 0o711)
    await mkdir(logs, { recursive: true, mode: 0o700 })
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
    postgres: join(folder, 'postgres'),
    logs,
    async release() {
      await rm(holder, { force: true })
      lock.close()
    },
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
