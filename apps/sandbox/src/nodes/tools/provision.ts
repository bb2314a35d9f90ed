// Creates a subscription for a new web, as a hosting panel does. What exists is kept.
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../../files.ts'
import { subscriptionFile } from '../provisioned-webs.ts'
import { webFolder } from '../web-folder.ts'
import { createDatabase, log, runTool } from './tool.ts'

await runTool(['the web', 'its system user', 'its customer'], async (fqdn, sysuser, customer) => {
  const web = webFolder('.', fqdn)
  await log(`Subscription ${fqdn} of ${customer}`)
  await mkdir(web.httpdocs, { recursive: true })
  await log(`System user ${sysuser}`)
  const subscription = { fqdn, sysuser, customer }
  await replaceFile(join(web.path, subscriptionFile), `${JSON.stringify(subscription, null, 2)}\n`)
  if (existsSync(web.database)) return log('The database exists')
  await createDatabase(web.database, (database) =>
    database.exec('create table settings (name text primary key, value text not null) strict'),
  )
  await log('Empty database created')
})
