import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdtemp, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { buildUserCommand, type UnixUser } from './unix-user.ts'

export const superuser = 'kustos'

/** Without PG* variables, and with English messages. */
export const environment = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

export interface Cluster {
  readonly data: string
  readonly password: string
}

/** The cluster in `folder`, created if missing. initdb works in a temporary folder, so an interrupted one leaves nothing behind. */
export async function findCluster(
  folder: string,
  binaries: Binaries,
  user: UnixUser | null,
  durable: boolean,
): Promise<Cluster> {
  for (const name of await readdir(folder)) {
    if (name.startsWith('new-')) await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 })
  }
  const data = join(folder, 'data')
  const password = await findPassword(folder, user)
  const version = await readText(join(data, 'PG_VERSION'))
  if (version === null) {
    const temporary = await mkdtemp(join(folder, 'new-'))
    if (user !== null) await chown(temporary, user.uid, user.gid)
    await initialise(folder, temporary, binaries, user, durable)
    await rename(temporary, data)
  } else if (version !== `${majorVersion}\n`) {
    throw new Error(
      `The data in ${data} were made by Postgres ${version.trim()}, and this is Postgres ${majorVersion}: move them with pg_dump, or take another folder.`,
    )
  }
  return { data: await realpath(data), password }
}

/** The version in package.json. */
const majorVersion = 18

async function findPassword(folder: string, user: UnixUser | null): Promise<string> {
  const path = join(folder, 'password')
  const kept = await readText(path)
  if (kept !== null) return kept.trim()
  const password = randomBytes(24).toString('base64url')
  const temporary = `${path}.new`
  await writeFile(temporary, `${password}\n`, { mode: 0o600 })
  if (user !== null) await chown(temporary, user.uid, user.gid)
  await rename(temporary, path)
  return password
}

async function initialise(
  folder: string,
  data: string,
  binaries: Binaries,
  user: UnixUser | null,
  durable: boolean,
): Promise<void> {
  const flags = [
    `--pgdata=${data}`,
    `--username=${superuser}`,
    `--pwfile=${join(folder, 'password')}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The same collation on every machine, whatever locales it has.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]
  if (!durable) flags.push('--no-sync')
  const command = await buildUserCommand(user, binaries.initdb, flags, [data, binaries.root])
  await new Promise<void>((resolve, reject) => {
    const { file, args, ...identity } = command
    const child = spawn(file, args, {
      ...identity,
      cwd: folder,
      env: environment,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let message = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      message += text
    })
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code === 0) return resolve()
      const line =
        message.split('\n').find((text) => text.includes('error')) ?? `it ended with ${code ?? signal}`
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
