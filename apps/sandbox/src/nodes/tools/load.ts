// Creates a web's database from a dump. The old one is replaced when the new one is complete.
import { mkdir, readFile } from 'node:fs/promises'
import { setHost } from '../content.ts'
import { dumpEnd } from '../sql-dump.ts'
import { webFolder } from '../web-folder.ts'
import { createDatabase, log, runTool } from './tool.ts'

await runTool(['the web', 'the dump'], async (fqdn, path) => {
  const web = webFolder('.', fqdn)
  const sql = await readFile(path, 'utf8').catch(() => {
    throw new Error(`There is no dump ${path} on this node.`)
  })
  if (!sql.endsWith(dumpEnd)) throw new Error(`The dump ${path} is cut off: export it again.`)
  await mkdir(web.path, { recursive: true })
  await createDatabase(web.database, async (database) => {
    await log(`Reading ${path}`)
    database.exec(sql)
    const tables = database
      .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
      .all()
    for (const { name } of tables) {
      const rows = database.prepare(`select count(*) as count from "${String(name)}"`).get()
      await log(`${String(name)}: ${String(rows?.count)} rows`)
    }
    setHost(database, fqdn)
    const check = database.prepare('pragma integrity_check').get()
    if (check?.integrity_check !== 'ok')
      throw new Error(`The dump ${path} does not result in a valid database.`)
  })
  await log(`${fqdn} has its new database`)
})
