// Makes the start page of the template in the repository and what the database holds.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { domainToUnicode } from 'node:url'
import { promisify } from 'node:util'
import { webFolder, webRoot } from '../web-folder.ts'
import { runTool, say } from './tool.ts'

const run = promisify(execFile)
const bare = '<!doctype html>\n<title></title>\n<header data-host></header>\n<main></main>\n'

await runTool(['the web'], async (fqdn) => {
  const web = webFolder('.', fqdn)
  const { stdout: revision } = await run('git', ['-C', web.httpdocs, 'log', '-1', '--format=%h %s'])
  await say(`Building ${revision.trim()}`)
  const root = webRoot(web.httpdocs)
  // The template as it was committed, not what the last build made of it.
  const inside = root === web.httpdocs ? 'index.html' : 'public/index.html'
  const template = await run('git', ['-C', web.httpdocs, 'show', `HEAD:${inside}`]).catch(() => null)
  const { title, sections } = readContent(web.database)
  await say(`${sections.length} pages`)
  const host = escaped(domainToUnicode(fqdn) || fqdn)
  const html = (template?.stdout ?? bare)
    .replace(/<title>(.*?)<\/title>/, (_, was: string) => `<title>${titleOf(was || title, host)}</title>`)
    .replace(/<header data-host><\/header>/, () => `<header data-host>${host}</header>`)
    .replace('</main>', () => `${sections.join('')}</main>`)
  await mkdir(root, { recursive: true })
  await writeFile(join(root, 'index.html.new'), html)
  await rename(join(root, 'index.html.new'), join(root, 'index.html'))
  await say(`${inside}: ${Buffer.byteLength(html)} bytes`)
})

function titleOf(text: string, host: string): string {
  return text === host ? host : `${text} – ${host}`
}

function readContent(path: string): { title: string; sections: string[] } {
  if (!existsSync(path)) return { title: 'Willkommen', sections: [] }
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const has = database.prepare("select 1 from sqlite_schema where name = 'pages'").get() !== undefined
    const pages = has ? database.prepare('select title from pages order by uid').all() : []
    const titles = pages.map(({ title }) => escaped(String(title)))
    return {
      title: titles[0] ?? 'Willkommen',
      sections: titles.map((title) => `<section>${title}</section>\n`),
    }
  } finally {
    database.close()
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
