import { randomUUID } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../start-error.ts'

export interface Repository {
  readonly uuid: string
  readonly slug: string
  /** The project's key. */
  readonly project: string
  readonly description: string
  /** The slug of the repository that it was forked from. */
  readonly parent: string | null
  readonly fork_policy: string
  readonly is_private: boolean
  /** In bytes. */
  readonly size: number
  readonly created_on: string
  readonly updated_on: string
}

/** Stored inside the repository, so that both are created by one rename. */
export const metadataFile = 'bitbucket.json'

export type Repositories = Awaited<ReturnType<typeof openRepositories>>

export async function openRepositories(folder: string) {
  const temporary = join(folder, '.temporary')
  await rm(temporary, { recursive: true, force: true })
  await mkdir(temporary)
  const names = (await readdir(folder)).filter((name) => name.endsWith('.git'))
  const repositories = new Map(
    await Promise.all(
      names.map(async (name) => {
        const one: Repository = JSON.parse(await readFile(join(folder, name, metadataFile), 'utf8'))
        return [one.slug, one] as const
      }),
    ),
  )
  return {
    /** The oldest first. */
    all: (): readonly Repository[] =>
      [...repositories.values()].sort(
        (a, b) => compare(a.created_on, b.created_on) || compare(a.slug, b.slug),
      ),
    get: (slug: string) => repositories.get(slug) ?? null,
    /** @returns null if the slug is taken */
    async fork(source: Repository, fork: Repository): Promise<Repository | null> {
      if (repositories.has(fork.slug)) return null
      const copy = join(temporary, randomUUID())
      try {
        await cp(join(folder, `${source.slug}.git`), copy, { recursive: true })
        await writeFile(join(copy, metadataFile), JSON.stringify(fork, null, 2))
        // The first one of concurrent forks with the same name gets it.
        await rename(copy, join(folder, `${fork.slug}.git`))
      } catch (error) {
        if (errorCode(error) === 'ENOTEMPTY' || errorCode(error) === 'EEXIST') return null
        throw error
      } finally {
        await rm(copy, { recursive: true, force: true })
      }
      repositories.set(fork.slug, fork)
      return fork
    },
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
