import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { isHost, webFolder, webRoot } from '../nodes/web-folder.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

export interface File {
  readonly type: string
  readonly content: Buffer
}

/** What a node serves of a web; null where no node has it. */
export async function folderOf(nodesFolder: string, host: string): Promise<string | null> {
  if (!isHost(host)) return null
  for (const node of await readdir(nodesFolder)) {
    const root = webRoot(webFolder(join(nodesFolder, node), host).httpdocs)
    const found = await stat(root).catch(() => null)
    if (found?.isDirectory()) return root
  }
  return null
}

/** @returns null for what lies elsewhere, links included, or is hidden */
export async function fileIn(root: string, url: string): Promise<File | null> {
  if (!URL.canParse(url, 'http://web')) return null
  let path: string
  try {
    path = decodeURIComponent(new URL(url, 'http://web').pathname)
  } catch {
    return null
  }
  if (path.includes('\0') || path.split('/').some((part) => part.startsWith('.'))) return null
  const named = join(root, path.endsWith('/') ? `${path}index.html` : path)
  const [inside, file] = await Promise.all([realpath(root), realpath(named).catch(() => null)])
  if (file === null || !file.startsWith(inside + sep) || !(await stat(file)).isFile()) return null
  return { type: types[extname(file)] ?? 'application/octet-stream', content: await readFile(file) }
}
