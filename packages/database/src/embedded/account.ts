import { execFile } from 'node:child_process'
import { chown, mkdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The user whom Postgres runs as; it refuses to run as root. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/** @returns null where Postgres may run as whoever started this process */
export async function findAccount(): Promise<Account | null> {
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
    // No useradd, or a read-only /etc: any other unprivileged user will do.
  }
  const found = (await lookUp('postgres')) ?? (await lookUp('nobody'))
  if (found === null) {
    throw new Error(
      'Postgres does not run as root, and there is no user postgres: create one, or start as another user.',
    )
  }
  return found
}

async function lookUp(name: string): Promise<Account | null> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n')
  const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
  return uid === undefined || gid === undefined ? null : { uid: Number(uid), gid: Number(gid) }
}

/** Makes a folder that belongs to the account and is closed to others. */
export async function makeFolder(path: string, account: Account | null): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  if (account !== null) await chown(path, account.uid, account.gid)
}

export interface Command {
  readonly file: string
  readonly args: string[]
  readonly uid?: number
  readonly gid?: number
}

/**
 * How to run a program as the account.
 *
 * A checkout below a folder that only root may pass (such as /root) would be out of its reach, the program included.
 * There the program keeps, of all that root may do, the right to pass: whoever started it is root anyway.
 *
 * @param paths what the program has to reach
 */
export async function asAccount(
  account: Account | null,
  file: string,
  args: readonly string[],
  paths: readonly string[],
): Promise<Command> {
  if (account === null) return { file, args: [...args] }
  const barrier = await findBarrier([file, ...paths], account)
  if (barrier === null) return { file, args: [...args], ...account }
  const rights = [
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    // Else access(2), which initdb asks, would judge by the user alone.
    '--securebits=+no_setuid_fixup',
  ]
  const wrapper = [
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    '--no-new-privs',
    ...rights,
  ]
  try {
    await run('setpriv', [...wrapper, 'true'])
  } catch {
    throw new Error(
      `Postgres does not run as root, and its user cannot pass ${barrier}: put Kustos elsewhere, or start it as another user.`,
    )
  }
  return { file: 'setpriv', args: [...wrapper, file, ...args] }
}

/** The first folder on the way to one of the paths that the account cannot pass. */
async function findBarrier(paths: readonly string[], account: Account): Promise<string | null> {
  const seen = new Set<string>()
  for (const path of paths) {
    for (let folder = await realpath(dirname(path)); !seen.has(folder); folder = dirname(folder)) {
      seen.add(folder)
      const { mode, uid, gid } = await stat(folder)
      const pass = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
      if ((mode & pass) === 0) return folder
    }
  }
  return null
}
