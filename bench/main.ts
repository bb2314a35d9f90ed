import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Runs the benchmark named on the command line: `bench/<name>/main.ts`. */
const fileOf = (name: string) => join(import.meta.dirname, name, 'main.ts')

const names = readdirSync(import.meta.dirname)
  .filter((name) => existsSync(fileOf(name)))
  .sort()
const name = names.find((known) => known === process.argv[2])

if (name === undefined) {
  console.log(`Usage: pnpm bench <name>, where <name> is one of: ${names.join(', ')}`)
  process.exitCode = process.argv[2] === undefined ? 0 : 1
} else {
  await import(fileOf(name))
}
