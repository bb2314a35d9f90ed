import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdtemp, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Account, asAccount } from './account.ts'
import type { Binaries } from './binaries.ts'

export const superuser = 'kustos'

/** What the programs get of the environment: nothing of PG*, and one language for their messages. */
export const environment = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

export interface Cluster {
  /** Postgres' data folder. */
  readonly data: string
  readonly password: string
}

/**
 * The cluster in `folder`, made where there is none. A making that was interrupted leaves nothing that counts: initdb
 * works in a folder of another name, and the finished one is renamed.
 */
export async function findCluster(
  folder: string,
  binaries: Binaries,
  account: Account | null,
  durable: boolean,
): Promise<Cluster> {
  for (const name of await readdir(folder)) {
    if (name.startsWith('new-')) await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 })
  }
  const data = join(folder, 'data')
  const password = await findPassword(folder, account)
  const version = await readText(join(data, 'PG_VERSION'))
  if (version === null) {
    const making = await mkdtemp(join(folder, 'new-'))
    if (account !== null) await chown(making, account.uid, account.gid)
    await initialise(folder, making, binaries, account, durable)
    await rename(making, data)
  } else if (version !== `${majorVersion}\n`) {
    throw new Error(
      `The data in ${data} were made by Postgres ${version.trim()}, and this is Postgres ${majorVersion}: move them with pg_dump, or take another folder.`,
    )
  }
  return { data: await realpath(data), password }
}

/** Of the version pinned in package.json. */
const majorVersion = 18

async function findPassword(folder: string, account: Account | null): Promise<string> {
  const path = join(folder, 'password')
  const kept = await readText(path)
  if (kept !== null) return kept.trim()
  const password = randomBytes(24).toString('base64url')
  const making = `${path}.new`
  await writeFile(making, `${password}\n`, { mode: 0o600 })
  if (account !== null) await chown(making, account.uid, account.gid)
  await rename(making, path)
  return password
}

async function initialise(
  folder: string,
  data: string,
  binaries: Binaries,
  account: Account | null,
  durable: boolean,
): Promise<void> {
  const flags = [
    `--pgdata=${data}`,
    `--username=${superuser}`,
    `--pwfile=${join(folder, 'password')}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Postgres' own collation: the same on every machine, whatever locales that has installed.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]
  if (!durable) flags.push('--no-sync')
  const command = await asAccount(account, binaries.initdb, flags, [data, binaries.root])
  await new Promise<void>((resolve, reject) => {
    const { file, args, ...identity } = command
    const child = spawn(file, args, {
      ...identity,
      cwd: folder,
      env: environment,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let complaint = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint += text
    })
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code === 0) return resolve()
      const line =
        complaint.split('\n').find((text) => text.includes('error')) ?? `it ended with ${code ?? signal}`
      reject(new Error(`Postgres could not be set up in ${folder}: ${line.replace(/^initdb: error: /, '')}`))
    })
  })
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return null
    throw error
  }
}
