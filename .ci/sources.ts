import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './command.ts'

/** Files and folders that tools create. */
const generated = new Set([
  'node_modules',
  '.git',
  'dist',
  '.kustos',
  'coverage',
  'test-results',
  'playwright-report',
])

/** The repository's files, as paths from its root. Read without git, which a checkout need not have. */
export async function sources(folder = ''): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  const lists = entries
    .filter((entry) => !generated.has(entry.name))
    .map((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) return sources(path)
      return entry.isFile() ? [path] : []
    })
  return (await Promise.all(lists)).flat()
}
