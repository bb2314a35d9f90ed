// A Plesk node in a container of its own (e2e/compose): OpenSSH, Plesk's command line, its panel, and one website.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { fileURLToPath } from 'node:url'
import { inventoryFile, listDomains, type Subscription } from './plesk/domains.ts'
import { createPanelService } from './plesk/rest-api.ts'
import { createSelfSigned } from './plesk/self-signed.ts'

const { NODE_HOST: host = 'node1.kustos.test', SITE: site = 'shop.kustos.test' } = process.env
/** Where sessions of root begin. */
const home = '/root'
const subscriptions: readonly Subscription[] = [
  { id: 1, fqdn: site, status: 0, sysuser: 'shop', disk_usage: 4_096, sites: [], aliases: [] },
]

await mkdir(`/var/www/vhosts/${site}/httpdocs`, { recursive: true })
await writeFile(`/var/www/vhosts/${site}/httpdocs/index.html`, '<title>Shop</title>')
await writeFile(`${home}/${inventoryFile}`, JSON.stringify(subscriptions))
const tool = fileURLToPath(new URL('nodes/tools/plesk.ts', import.meta.url))
await writeFile('/usr/local/bin/plesk', `#!/bin/sh\nexec ${process.execPath} ${tool} "$@"\n`)
await chmod('/usr/local/bin/plesk', 0o755)

const apiKey = randomUUID()
const { context, fingerprint } = await createSelfSigned(host)
const panel = createPanelService({ apiKey, listDomains: async () => listDomains(subscriptions) })
createTlsServer({ SNICallback: (_, done) => done(null, context) }, panel).listen(8443)
createServer((_, response) => response.end('<title>Shop</title>')).listen(80)

await mkdir(`${home}/.ssh`, { recursive: true, mode: 0o700 })
await copyFile('/run/authorized-key', `${home}/.ssh/authorized_keys`)
await chmod(`${home}/.ssh/authorized_keys`, 0o600)
await writeFile('/run/api-key', `${apiKey}\n`)
await writeFile('/run/certificate', `${fingerprint}\n`)
spawn('/usr/sbin/sshd', ['-D', '-e'], { stdio: 'inherit' }).once('exit', (code) => process.exit(code ?? 1))
