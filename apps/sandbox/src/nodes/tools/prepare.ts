// Sees to it that a web is there: the inventory's own get their folder when somebody first asks something of them.
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { domainToUnicode } from 'node:url'
import { fillContent, nameHost } from '../content.ts'
import { originsFile } from '../recipes-file.ts'
import { type WebFolder, webFolder } from '../web-folder.ts'
import { git, runTool, say } from './tool.ts'

const author = ['-c', 'user.name=Kustos', '-c', 'user.email=sandbox@kustos.test']

await runTool(['the web'], async (fqdn) => {
  const web = webFolder('.', fqdn)
  await mkdir(web.path, { recursive: true })
  // A folder for each web: a name of 253 characters leaves no room for more in a file's name.
  await mkdir(join('backups', fqdn), { recursive: true })
  if (existsSync(web.database)) await say(`${basename(web.database)} is there`)
  else await makeDatabase(web, fqdn)
  if (existsSync(web.httpdocs)) await say(`${basename(web.httpdocs)} is there`)
  else await makeCheckout(web, fqdn)
})

async function makeDatabase(web: WebFolder, fqdn: string): Promise<void> {
  const made = `${web.database}.new`
  await rm(made, { force: true })
  const database = new DatabaseSync(made)
  fillContent(database, fqdn)
  nameHost(database, fqdn)
  database.close()
  await rename(made, web.database)
  await say(`${basename(web.database)} has been made`)
}

async function makeCheckout(web: WebFolder, fqdn: string): Promise<void> {
  const made = join(web.path, 'httpdocs.new')
  await rm(made, { recursive: true, force: true })
  // As the sandbox wrote it.
  const known: Partial<Record<string, string>> = JSON.parse(await readFile(join('..', originsFile), 'utf8'))
  const origin = known[fqdn] ?? (await makeOrigin(web, fqdn))
  await say(`Cloning ${origin}`)
  await git('clone', '--quiet', '--', origin, made)
  await rename(made, web.httpdocs)
}

/** Of a web without a repository of its own at the agency. */
async function makeOrigin(web: WebFolder, fqdn: string): Promise<string> {
  const origin = join(web.path, 'origin.git')
  if (existsSync(origin)) return origin
  const draft = join(web.path, 'origin.new')
  await rm(draft, { recursive: true, force: true })
  await mkdir(join(draft, 'public'), { recursive: true })
  await writeFile(join(draft, 'public/index.html'), page(domainToUnicode(fqdn) || fqdn))
  await git('-C', draft, 'init', '--quiet', '--initial-branch=main')
  await git('-C', draft, 'add', 'public')
  await git('-C', draft, ...author, 'commit', '--quiet', '--message=Anfang')
  await git('clone', '--quiet', '--bare', draft, `${origin}.new`)
  await rename(`${origin}.new`, origin)
  await rm(draft, { recursive: true, force: true })
  return origin
}

function page(host: string): string {
  return `<!doctype html>
<html lang="de">
  <head>
    <meta charset="utf-8">
    <title>${host}</title>
  </head>
  <body>
    <header data-host></header>
    <main>
      <h1>${host}</h1>
    </main>
  </body>
</html>
`
}
