import type { Command } from './command.ts'
import { importFile } from './import-lists.ts'

export const takeWebs: Command = {
  name: 'import webs',
  usage: `  import webs FILE [--skip-bad]              takes webs from a CSV file: fqdn, customer, configured_ip, and any
                                             other column of the web list and its export`,
  positionals: ['FILE'],
  options: { 'skip-bad': { type: 'boolean' } },
  run: (typed) => importFile(async () => (await import('@kustos/domain/imports')).importWebs, typed),
}
