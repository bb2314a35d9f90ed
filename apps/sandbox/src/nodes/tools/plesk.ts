// The part of Plesk's command line that Kustos uses by itself; recipes of the sandbox have tools of their own.
import { pleskVersion } from '../../plesk/version.ts'

const [command = ''] = process.argv.slice(2)
if (command === 'version')
  process.stdout.write(`Product version: Plesk Obsidian ${pleskVersion}\nOS version: Debian 12.0 x86_64\n`)
else {
  process.stderr.write(`plesk: unknown command ${command}\n`)
  process.exitCode = 1
}
