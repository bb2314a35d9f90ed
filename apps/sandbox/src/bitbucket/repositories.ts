import { randomUUID } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../refusal.ts'

/** What Bitbucket knows of a repository besides its contents. */
export interface Kept {
  readonly uuid: string
  readonly slug: string
  /** The project's key. */
  readonly project: string
  readonly description: string
  /** The slug of what it was forked from. */
  readonly parent: string | null
  readonly fork_policy: string
  readonly is_private: boolean
  /** In bytes. */
  readonly size: number
  readonly created_on: string
  readonly updated_on: string
}

/** Lies in the repository itself, so that the two come into being together. */
export const descriptionFile = 'bitbucket.json'

export interface Repositories {
  /** In the order of their making. */
  all(): readonly Kept[]
  get(slug: string): Kept | null
  /** @returns null where the slug is taken */
  fork(source: Kept, fork: Kept): Promise<Kept | null>
}

/** Opens a folder of bare repositories; the folder is all that there is to remember. */
export async function openRepositories(folder: string): Promise<Repositories> {
  const making = join(folder, '.making')
  await rm(making, { recursive: true, force: true })
  await mkdir(making)
  const names = (await readdir(folder)).filter((name) => name.endsWith('.git'))
  const kept = new Map(
    await Promise.all(
      names.map(async (name) => {
        const one: Kept = JSON.parse(await readFile(join(folder, name, descriptionFile), 'utf8'))
        return [one.slug, one] as const
      }),
    ),
  )
  return {
    all: () =>
      [...kept.values()].sort((a, b) => compare(a.created_on, b.created_on) || compare(a.slug, b.slug)),
    get: (slug) => kept.get(slug) ?? null,
    async fork(source, fork) {
      if (kept.has(fork.slug)) return null
      const copy = join(making, randomUUID())
      try {
        await cp(join(folder, `${source.slug}.git`), copy, { recursive: true })
        await writeFile(join(copy, descriptionFile), JSON.stringify(fork, null, 2))
        // Of several that want the name at once, the first one gets it.
        await rename(copy, join(folder, `${fork.slug}.git`))
      } catch (error) {
        if (codeOf(error) === 'ENOTEMPTY' || codeOf(error) === 'EEXIST') return null
        throw error
      } finally {
        await rm(copy, { recursive: true, force: true })
      }
      kept.set(fork.slug, fork)
      return fork
    },
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
