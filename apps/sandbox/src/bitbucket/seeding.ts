import { cp, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createRandom } from '../seed/random.ts'
import { catalogue, templates } from './catalogue.ts'
import { git } from './git.ts'
import { descriptionFile, type Kept } from './repositories.ts'
import { type Commit, history } from './site.ts'

const day = 24 * 3600 * 1000

/**
 * Makes the folder of repositories as it is on the first day, whole or not at all: a few templates with git itself, the
 * others as copies of these, since git takes some ten times as long for each.
 */
export async function seedRepositories(folder: string, now: Date): Promise<void> {
  const making = `${folder}.making`
  await rm(making, { recursive: true, force: true })
  const made = join(making, 'templates')
  const ready = join(making, 'repositories')
  await Promise.all([made, ready].map((path) => mkdir(path, { recursive: true })))
  const sizes = new Map(
    await inTurns(templates, async (slug) => {
      const path = join(made, slug)
      await makeTemplate(path, history(slug, now))
      return [slug, await sizeOf(path)] as const
    }),
  )
  const random = createRandom(2024)
  const told = catalogue().map((one): { template: string; kept: Kept } => {
    const age = one.parent === null ? random.int(1200, 2600) : random.int(120, 1100)
    const at = (days: number) => new Date(now.getTime() - days * day - random.int(0, day)).toISOString()
    return {
      template: one.template,
      kept: {
        uuid: `{${random.hex(8)}-${random.hex(4)}-4${random.hex(3)}-a${random.hex(3)}-${random.hex(12)}}`,
        slug: one.slug,
        project: one.project,
        description: one.description,
        parent: one.parent,
        fork_policy: one.forkPolicy,
        is_private: true,
        size: sizes.get(one.template) ?? 0,
        created_on: at(age),
        updated_on: at(random.int(0, Math.min(age, 300))),
      },
    }
  })
  await inTurns(told, async ({ template, kept }) => {
    const path = join(ready, `${kept.slug}.git`)
    await cp(join(made, template), path, { recursive: true })
    await writeFile(join(path, descriptionFile), JSON.stringify(kept, null, 2))
  })
  await rename(ready, folder)
  await rm(making, { recursive: true, force: true })
}

/** A bare repository without the samples that git puts into each. */
async function makeTemplate(path: string, commits: readonly Commit[]): Promise<void> {
  await git(['init', '--quiet', '--bare', '--template=', '--initial-branch=main', path])
  // One pack instead of a file for each object, so that copies are quick.
  await git(
    ['-C', path, '-c', 'fastimport.unpackLimit=1', 'fast-import', '--quiet'],
    commits.map(stream).join(''),
  )
  await git(['-C', path, 'pack-refs', '--all'])
}

/** A commit as git fast-import reads it. */
function stream({ author, at, message, files }: Commit): string {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`
  const who = `${author} ${at} +0000`
  const tree = Object.entries(files).map(([path, text]) => `M 100644 inline ${path}\n${data(text)}`)
  return `commit refs/heads/main\nauthor ${who}\ncommitter ${who}\n${data(message)}${tree.join('')}\n`
}

/** In bytes. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** Four at a time: enough for the processors, and for a system that allows few open files. */
async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const queue = items.entries()
  const worker = async () => {
    for (const [i, item] of queue) results[i] = await work(item)
  }
  await Promise.all(Array.from({ length: 4 }, worker))
  return results
}
