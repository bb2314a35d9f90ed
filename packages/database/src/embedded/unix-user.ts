import { execFile } from 'node:child_process'
import { chown, mkdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The user that PostgreSQL runs as, since it refuses to run as root. */
export interface UnixUser {
  readonly uid: number
  readonly gid: number
}

/** @returns null if PostgreSQL can run as the current user */
export async function findUnixUser(): Promise<UnixUser | null> {
  if (process.getuid?.() !== 0) return null
  const known = await lookUp('postgres')
  if (known !== null) return known
  try {
    await run('useradd', [
      '--system',
      '--user-group',
      '--no-create-home',
      '--shell',
      '/bin/false',
      'postgres',
    ])
  } catch {
    // Without useradd, or with a read-only /etc, any other unprivileged user will do.
  }
  const found = (await lookUp('postgres')) ?? (await lookUp('nobody'))
  if (found === null) {
    throw new Error(
      'Postgres does not run as root, and there is no user postgres: create one, or start as another user.',
    )
  }
  return found
}

async function lookUp(name: string): Promise<UnixUser | null> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n')
  const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
  return uid === undefined || gid === undefined ? null : { uid: Number(uid), gid: Number(gid) }
}

export async function createFolder(path: string, user: UnixUser | null): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  if (user !== null) await chown(path, user.uid, user.gid)
}

export interface Command {
  readonly file: string
  readonly args: string[]
  readonly uid?: number
  readonly gid?: number
}

/**
 * The command that runs a program as the user. In a checkout below a folder that only root can enter (such as /root), the program
 * keeps root's right to pass folders and nothing else.
 * @param paths that the program must reach
 */
export async function buildUserCommand(
  user: UnixUser | null,
  file: string,
  args: readonly string[],
  paths: readonly string[],
): Promise<Command> {
  if (user === null) return { file, args: [...args] }
  const folder = await findInaccessibleFolder([file, ...paths], user)
  if (folder === null) return { file, args: [...args], ...user }
  const rights = [
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    // Otherwise access(2), which initdb calls, would ignore the capability.
    '--securebits=+no_setuid_fixup',
  ]
  const wrapper = [
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    '--no-new-privs',
    ...rights,
  ]
  try {
    await run('setpriv', [...wrapper, 'true'])
  } catch {
    throw new Error(
      `Postgres does not run as root, and its user cannot pass ${folder}: put Kustos elsewhere, or start it as another user.`,
    )
  }
  return { file: 'setpriv', args: [...wrapper, file, ...args] }
}

async function findInaccessibleFolder(paths: readonly string[], user: UnixUser): Promise<string | null> {
  const seen = new Set<string>()
  for (const path of paths) {
    for (let folder = await realpath(dirname(path)); !seen.has(folder); folder = dirname(folder)) {
      seen.add(folder)
      const { mode, uid, gid } = await stat(folder)
      const pass = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
      if ((mode & pass) === 0) return folder
    }
  }
  return null
}
