import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './command.ts'

/** What tools make, besides what the repository holds. */
const made = new Set([
  'node_modules',
  '.git',
  'dist',
  '.kustos',
  'coverage',
  'test-results',
  'playwright-report',
])

/** The repository's files, as paths from its root. Git is not asked: a checkout need not have it. */
export async function sources(folder = ''): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  const lists = entries
    .filter((entry) => !made.has(entry.name))
    .map((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) return sources(path)
      return entry.isFile() ? [path] : []
    })
  return (await Promise.all(lists)).flat()
}
