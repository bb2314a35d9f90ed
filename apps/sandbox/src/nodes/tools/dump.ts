// Writes a web's database as SQL. The file appears when it is complete.
import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { dumpEnd, dumpStart, dumpTables } from '../sql-dump.ts'
import { webFolder } from '../web-folder.ts'
import { log, runTool } from './tool.ts'

await runTool(['the web', 'the dump'], async (fqdn, path) => {
  const web = webFolder('.', fqdn)
  if (!existsSync(web.database)) throw new Error(`${fqdn} has no database on this node.`)
  await mkdir(dirname(path), { recursive: true })
  const database = new DatabaseSync(web.database, { readOnly: true })
  const file = createWriteStream(`${path}.part`)
  await once(file, 'open')
  file.write(dumpStart)
  let total = 0
  for (const table of dumpTables(database)) {
    if (!file.write(table.sql)) await once(file, 'drain')
    total += table.rows
    await log(`${table.name}: ${table.rows} rows`)
  }
  file.end(dumpEnd)
  await once(file, 'close')
  database.close()
  await rename(`${path}.part`, path)
  await log(`${path}: ${total} rows, ${file.bytesWritten} bytes`)
})
