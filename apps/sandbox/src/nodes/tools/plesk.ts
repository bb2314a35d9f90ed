// The part of Plesk's command line that Kustos uses by itself; recipes of the sandbox have tools of their own.
import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { inventoryFile, listDomains, mergeProvisioned, type Subscription } from '../../plesk/domains.ts'
import { fillPanelDatabase } from '../../plesk/panel-database.ts'
import { pleskVersion } from '../../plesk/version.ts'
import { listProvisioned } from '../provisioned-webs.ts'

const [command = '', ...parameters] = process.argv.slice(2)
if (command === 'version') {
  process.stdout.write(`Product version: Plesk Obsidian ${pleskVersion}\nOS version: Debian 12.0 x86_64\n`)
} else if (command === 'db' && parameters[0] === '-Ne') {
  const inventory: Subscription[] = JSON.parse(await readFile(inventoryFile, 'utf8').catch(() => '[]'))
  const domains = listDomains(mergeProvisioned(inventory, await listProvisioned('.')))
  const database = fillPanelDatabase(domains, process.cwd())
  for (const row of database.prepare(parameters[1] ?? '').all())
    process.stdout.write(
      `${Object.values(row)
        .map((cell) => cell ?? 'NULL')
        .join('\t')}\n`,
    )
} else if (command === 'bin' && parameters[0] === 'pleskbackup') {
  const { values } = parseArgs({
    args: parameters.slice(1),
    options: {
      'domains-name': { type: 'string' },
      'output-file': { type: 'string' },
      v: { type: 'boolean', short: 'v' },
    },
  })
  const { 'domains-name': host = '', 'output-file': file = '' } = values
  execFileSync('tar', ['--create', '--file', file, '--directory', '/var/www/vhosts', host], {
    stdio: 'inherit',
  })
} else {
  process.stderr.write(`plesk: unknown command ${command}\n`)
  process.exitCode = 1
}
