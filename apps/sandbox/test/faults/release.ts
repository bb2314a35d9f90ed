import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { paths } from '../../src/paths.ts'

interface Release {
  readonly name: string
  readonly commit: string
}

interface CheckedOutRelease {
  /** The root of its sources, with the dependencies of its API. */
  readonly folder: string
  /** Its routes, by feature and name. */
  readonly routes: Readonly<Record<string, { readonly method: string; readonly path: string }>>
  remove(): Promise<void>
}

/**
 * Returns all releases, the oldest first, with whether they can be checked out: not without the history of this repository.
 * @throws Error if the whole history is here and a release is not in it
 */
export async function listReleases(): Promise<readonly (Release & { readonly isThere: boolean })[]> {
  const releases: readonly Release[] = JSON.parse(
    await readFile(join(paths.root, 'packages/database/releases.json'), 'utf8'),
  )
  const git = (...args: string[]) => run('git', args, paths.root).catch(() => null)
  const hasHistory = (await git('rev-parse', '--is-shallow-repository'))?.trim() === 'false'
  return Promise.all(
    releases.map(async ({ name, commit }) => {
      const isThere = (await git('merge-base', '--is-ancestor', commit, 'HEAD')) !== null
      if (!isThere && hasHistory)
        throw new Error(
          `The commit of the release ${name} in packages/database/releases.json is not in the history`,
        )
      return { name, commit, isThere }
    }),
  )
}

/** Checks out and installs a release. */
export async function checkOutRelease({ commit }: Release): Promise<CheckedOutRelease> {
  const folder = await mkdtemp(join(tmpdir(), 'kustos-release-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const archive = join(folder, 'release.tar')
    await run('git', ['archive', '--output', archive, commit], paths.root)
    await run('tar', ['-xf', archive], folder)
    const options = ['--frozen-lockfile', '--prefer-offline', '--prod', '--no-optional']
    await run('npx', ['--yes', 'pnpm@12.21.0', 'install', ...options, '--filter', '@kustos/api...'], folder)
    const { routes } = await import(pathToFileURL(join(folder, 'apps/api/test/routes.ts')).href)
    return { folder, routes, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Runs a program to its end. @returns its standard output @throws Error with all of its output if it fails */
export async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  { env = process.env, input = '' }: { env?: NodeJS.ProcessEnv; input?: string } = {},
): Promise<string> {
  const child = spawn(program, args, { cwd, env, stdio: 'pipe' })
  // A program that does not read its input may have closed it already.
  if (input !== '') child.stdin.write(input)
  child.stdin.on('error', () => undefined).end()
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${out}${err}`)
  return out
}
