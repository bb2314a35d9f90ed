// Makes a web's database of a dump. The old one is there until the new one is whole.
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { nameHost } from '../content.ts'
import { dumpEnd } from '../dump-text.ts'
import { webFolder } from '../web-folder.ts'
import { Complaint, runTool, say } from './tool.ts'

await runTool(['the web', 'the dump'], async (fqdn, path) => {
  const web = webFolder('.', fqdn)
  const sql = await readFile(path, 'utf8').catch(() => {
    throw new Complaint(`There is no dump ${path} on this node.`)
  })
  if (!sql.endsWith(dumpEnd)) throw new Complaint(`The dump ${path} is cut off: export it again.`)
  await mkdir(web.path, { recursive: true })
  const made = `${web.database}.new`
  await rm(made, { force: true })
  const database = new DatabaseSync(made)
  await say(`Reading ${path}`)
  database.exec(sql)
  const tables = database
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
    .all()
  for (const { name } of tables) {
    const rows = database.prepare(`select count(*) as count from "${String(name)}"`).get()
    await say(`${String(name)}: ${String(rows?.count)} rows`)
  }
  nameHost(database, fqdn)
  const check = database.prepare('pragma integrity_check').get()
  if (check?.integrity_check !== 'ok') throw new Complaint(`The dump ${path} does not make a sound database.`)
  database.close()
  await rename(made, web.database)
  await say(`${fqdn} has its new database`)
})
