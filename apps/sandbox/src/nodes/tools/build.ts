// Generates the start page from the repository's template and the database.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { domainToUnicode } from 'node:url'
import { promisify } from 'node:util'
import { replaceFile } from '../../files.ts'
import { escapeHtml } from '../../html.ts'
import { webFolder, webRoot } from '../web-folder.ts'
import { log, runTool } from './tool.ts'

const run = promisify(execFile)
const emptyTemplate = '<!doctype html>\n<title></title>\n<header data-host></header>\n<main></main>\n'

await runTool(['the web'], async (fqdn) => {
  const web = webFolder('.', fqdn)
  const { stdout: revision } = await run('git', ['-C', web.httpdocs, 'log', '-1', '--format=%h %s'])
  await log(`Building ${revision.trim()}`)
  const root = webRoot(web.httpdocs)
  // From the commit, because the last build has replaced the file.
  const path = root === web.httpdocs ? 'index.html' : 'public/index.html'
  const template = await run('git', ['-C', web.httpdocs, 'show', `HEAD:${path}`]).catch(() => null)
  const pages = readPageTitles(web.database)
  await log(`${pages.length} pages`)
  const host = escapeHtml(domainToUnicode(fqdn) || fqdn)
  const formatTitle = (title: string) => (title === host ? host : `${title} – ${host}`)
  const html = (template?.stdout ?? emptyTemplate)
    .replace(
      /<title>(.*?)<\/title>/,
      (_, title: string) => `<title>${formatTitle(title || (pages[0] ?? 'Willkommen'))}</title>`,
    )
    .replace(/<header data-host><\/header>/, () => `<header data-host>${host}</header>`)
    .replace('</main>', () => `${pages.map((title) => `<section>${title}</section>\n`).join('')}</main>`)
  await mkdir(root, { recursive: true })
  await replaceFile(join(root, 'index.html'), html)
  await log(`${path}: ${Buffer.byteLength(html)} bytes`)
})

function readPageTitles(path: string): string[] {
  if (!existsSync(path)) return []
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    // A newly provisioned web has no pages.
    if (database.prepare("select 1 from sqlite_schema where name = 'pages'").get() === undefined) return []
    const pages = database.prepare('select title from pages order by uid').all()
    return pages.map(({ title }) => escapeHtml(String(title)))
  } finally {
    database.close()
  }
}
