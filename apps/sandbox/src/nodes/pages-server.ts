import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { extname, join, sep } from 'node:path'
import { isHost, webFolder, webRoot } from './web-folder.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/** A web server for the webs of all nodes: the Host header says which. */
export function pagesServer(nodesFolder: string): Server {
  return createServer((request, response) => {
    const answer = (status: number, type: string, body: string | Buffer) => {
      response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
      response.end(request.method === 'HEAD' ? undefined : body)
    }
    const missing = (what: string) => answer(404, 'text/plain; charset=utf-8', `${what}\n`)
    const show = async () => {
      const host = (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '')
      const root = await rootOf(nodesFolder, host)
      if (root === null) return missing('There is no such web here.')
      const file = await fileIn(root, request.url ?? '/')
      if (file === null) return missing('There is no such page.')
      answer(200, types[extname(file)] ?? 'application/octet-stream', await readFile(file))
    }
    show().catch(() => answer(500, 'text/plain; charset=utf-8', 'This page cannot be read.\n'))
  })
}

async function rootOf(nodesFolder: string, host: string): Promise<string | null> {
  if (!isHost(host)) return null
  for (const node of await readdir(nodesFolder)) {
    const root = webRoot(webFolder(join(nodesFolder, node), host).httpdocs)
    const found = await stat(root).catch(() => null)
    if (found?.isDirectory()) return root
  }
  return null
}

/** @returns null for what lies elsewhere, links included, or is hidden */
async function fileIn(root: string, url: string): Promise<string | null> {
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
  if (file === null || !file.startsWith(inside + sep)) return null
  return (await stat(file)).isFile() ? file : null
}
