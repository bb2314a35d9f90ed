// Creates the folder of a web of the inventory when it is first used.
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { domainToUnicode } from 'node:url'
import { fillTemplate, readAsset } from '../../assets.ts'
import { fillContent, setHost } from '../content.ts'
import { originsFile } from '../recipes-file.ts'
import { webFolder } from '../web-folder.ts'
import { createDatabase, git, log, runTool } from './tool.ts'

await runTool(['the web'], async (fqdn) => {
  const web = webFolder('.', fqdn)
  await mkdir(web.path, { recursive: true })
  // A folder for each web, because a name of 253 characters leaves no room for more in a file name.
  await mkdir(join('backups', fqdn), { recursive: true })
  if (existsSync(web.database)) await log(`${basename(web.database)} exists`)
  else {
    await createDatabase(web.database, (database) => {
      fillContent(database, fqdn)
      setHost(database, fqdn)
    })
    await log(`${basename(web.database)} created`)
  }
  if (existsSync(web.httpdocs)) await log(`${basename(web.httpdocs)} exists`)
  else await createCheckout(web, fqdn)
})

async function createCheckout(web: ReturnType<typeof webFolder>, fqdn: string): Promise<void> {
  const temporary = join(web.path, 'httpdocs.new')
  await rm(temporary, { recursive: true, force: true })
  const origins: Partial<Record<string, string>> = JSON.parse(await readFile(join('..', originsFile), 'utf8'))
  const origin = origins[fqdn] ?? (await createOrigin(web, fqdn))
  await log(`Cloning ${origin}`)
  await git('clone', '--quiet', '--', origin, temporary)
  await rename(temporary, web.httpdocs)
}

/** For a web that has no repository at the agency. */
async function createOrigin(web: ReturnType<typeof webFolder>, fqdn: string): Promise<string> {
  const origin = join(web.path, 'origin.git')
  if (existsSync(origin)) return origin
  const draft = join(web.path, 'origin.new')
  await rm(draft, { recursive: true, force: true })
  await mkdir(join(draft, 'public'), { recursive: true })
  const page = fillTemplate(readAsset(import.meta.url, 'page.html'), { host: domainToUnicode(fqdn) || fqdn })
  await writeFile(join(draft, 'public/index.html'), page)
  await git('-C', draft, 'init', '--quiet', '--initial-branch=main')
  await git('-C', draft, 'add', 'public')
  const author = ['-c', 'user.name=Kustos', '-c', 'user.email=sandbox@kustos.test']
  await git('-C', draft, ...author, 'commit', '--quiet', '--message=Anfang')
  await git('clone', '--quiet', '--bare', draft, `${origin}.new`)
  await rename(`${origin}.new`, origin)
  await rm(draft, { recursive: true, force: true })
  return origin
}
