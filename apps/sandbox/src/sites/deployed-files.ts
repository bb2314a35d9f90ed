import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { isHostName, webFolder, webRoot } from '../nodes/web-folder.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/** The folder that a node serves for a web; null if the web is on no node. */
export async function findDeployedFolder(nodesFolder: string, host: string): Promise<string | null> {
  if (!isHostName(host)) return null
  for (const node of await readdir(nodesFolder)) {
    const root = webRoot(webFolder(join(nodesFolder, node), host).httpdocs)
    const found = await stat(root).catch(() => null)
    if (found?.isDirectory()) return root
  }
  return null
}

/** @returns null for files that are missing, hidden, or outside the folder (also by links) */
export async function readDeployedFile(
  folder: string,
  url: string,
): Promise<{ readonly type: string; readonly content: Buffer } | null> {
  if (!URL.canParse(url, 'http://web')) return null
  let path: string
  try {
    path = decodeURIComponent(new URL(url, 'http://web').pathname)
  } catch {
    return null
  }
  if (path.includes('\0') || path.split('/').some((part) => part.startsWith('.'))) return null
  const requested = join(folder, path.endsWith('/') ? `${path}index.html` : path)
  const [root, file] = await Promise.all([realpath(folder), realpath(requested).catch(() => null)])
  if (file === null || !file.startsWith(root + sep) || !(await stat(file)).isFile()) return null
  return { type: types[extname(file)] ?? 'application/octet-stream', content: await readFile(file) }
}
