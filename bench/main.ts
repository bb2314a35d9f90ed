import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** `pnpm bench` runs every benchmark one after the other, `pnpm bench <name>` the one in `bench/<name>/main.ts`. */
const fileOf = (name: string) => join(import.meta.dirname, name, 'main.ts')

const names = readdirSync(import.meta.dirname)
  .filter((name) => existsSync(fileOf(name)))
  .sort()
const [requested] = process.argv.slice(2)

if (requested === undefined)
  for (const name of names) {
    console.log(`\n# ${name}\n`)
    // Each in its own process, so that none is affected by another.
    const { status } = spawnSync(process.execPath, [import.meta.filename, name], { stdio: 'inherit' })
    if (status !== 0) process.exitCode = 1
  }
else if (names.includes(requested)) await import(fileOf(requested))
else {
  console.error(`Usage: pnpm bench [<name>], where <name> is one of: ${names.join(', ')}`)
  process.exitCode = 1
}
