import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { folderSize } from '../files.ts'
import { createRandom } from '../seed/random.ts'
import { seedRepositories, templates } from './catalogue.ts'
import { git } from './git.ts'
import { metadataFile, type Repository } from './repositories.ts'
import { type Commit, websiteHistory } from './website-history.ts'

const dayMs = 24 * 3600 * 1000

/**
 * Creates the folder of repositories atomically. Git creates only a few templates and all others are copies, because git
 * takes about ten times as long as a copy.
 */
export async function createRepositories(folder: string, now: Date): Promise<void> {
  const temporary = `${folder}.new`
  await rm(temporary, { recursive: true, force: true })
  const templateFolder = join(temporary, 'templates')
  const target = join(temporary, 'repositories')
  await Promise.all([templateFolder, target].map((path) => mkdir(path, { recursive: true })))
  const sizes = new Map(
    await mapConcurrent(templates, async (slug) => {
      const path = join(templateFolder, slug)
      await createTemplate(path, websiteHistory(slug, now))
      return [slug, await folderSize(path)] as const
    }),
  )
  const random = createRandom(2024)
  const repositories = seedRepositories().map(({ template, forkPolicy, ...repository }) => {
    const age = repository.parent === null ? random.int(1200, 2600) : random.int(120, 1100)
    const daysAgo = (days: number) =>
      new Date(now.getTime() - days * dayMs - random.int(0, dayMs)).toISOString()
    const metadata: Repository = {
      uuid: `{${random.hex(8)}-${random.hex(4)}-4${random.hex(3)}-a${random.hex(3)}-${random.hex(12)}}`,
      ...repository,
      fork_policy: forkPolicy,
      is_private: true,
      size: sizes.get(template) ?? 0,
      created_on: daysAgo(age),
      updated_on: daysAgo(random.int(0, Math.min(age, 300))),
    }
    return { template, metadata }
  })
  await mapConcurrent(repositories, async ({ template, metadata }) => {
    const path = join(target, `${metadata.slug}.git`)
    await cp(join(templateFolder, template), path, { recursive: true })
    await writeFile(join(path, metadataFile), JSON.stringify(metadata, null, 2))
  })
  await rename(target, folder)
  await rm(temporary, { recursive: true, force: true })
}

async function createTemplate(path: string, commits: readonly Commit[]): Promise<void> {
  // Without the sample hooks.
  await git(['init', '--quiet', '--bare', '--template=', '--initial-branch=main', path])
  // One pack file instead of one file per object makes copies fast.
  await git(
    ['-C', path, '-c', 'fastimport.unpackLimit=1', 'fast-import', '--quiet'],
    commits.map(formatCommit).join(''),
  )
  await git(['-C', path, 'pack-refs', '--all'])
}

/** In the input format of git fast-import. */
function formatCommit({ author, at, message, files }: Commit): string {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`
  const signature = `${author} ${at} +0000`
  const tree = Object.entries(files).map(([path, text]) => `M 100644 inline ${path}\n${data(text)}`)
  return `commit refs/heads/main\nauthor ${signature}\ncommitter ${signature}\n${data(message)}${tree.join('')}\n`
}

/** Four at a time, because some systems allow few open files. */
async function mapConcurrent<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const queue = items.entries()
  const worker = async () => {
    for (const [i, item] of queue) results[i] = await work(item)
  }
  await Promise.all(Array.from({ length: 4 }, worker))
  return results
}
