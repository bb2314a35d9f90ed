// Makes room for a new web on its node, as a hosting panel does. What is there already stays as it is.
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { subscriptionFile } from '../provisioned.ts'
import { webFolder } from '../web-folder.ts'
import { runTool, say } from './tool.ts'

await runTool(['the web', 'its system user', 'its customer'], async (fqdn, sysuser, customer) => {
  const web = webFolder('.', fqdn)
  await say(`Subscription ${fqdn} of ${customer}`)
  await mkdir(web.httpdocs, { recursive: true })
  await say(`System user ${sysuser}`)
  const subscription = { fqdn, sysuser, customer }
  await writeFile(join(web.path, `${subscriptionFile}.new`), `${JSON.stringify(subscription, null, 2)}\n`)
  await rename(join(web.path, `${subscriptionFile}.new`), join(web.path, subscriptionFile))
  if (existsSync(web.database)) return say('The database is there')
  await rm(`${web.database}.new`, { force: true })
  const database = new DatabaseSync(`${web.database}.new`)
  database.exec('create table settings (name text primary key, value text not null) strict')
  database.close()
  await rename(`${web.database}.new`, web.database)
  await say('An empty database has been made')
})
