import { spawn } from 'node:child_process'
import { rename, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

/** Slow enough for a user to follow the log, as on a real node. */
const logPauseMs = 80

export async function log(line: string): Promise<void> {
  process.stdout.write(`${line}\n`)
  await sleep(logPauseMs)
}

/** Runs a tool with its arguments in the node's folder. The message of an error becomes the last line of the log. */
export async function runTool<const Names extends readonly string[]>(
  names: Names,
  work: (...values: { [Index in keyof Names]: string }) => Promise<void>,
): Promise<void> {
  const values = process.argv.slice(2)
  try {
    if (values.length !== names.length) throw new Error(`This tool takes ${names.join(', ')}.`)
    await work(...(values as { [Index in keyof Names]: string }))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

/** Creates a database beside its path and moves it there when it is complete. */
export async function createDatabase(
  path: string,
  fill: (database: DatabaseSync) => Promise<void> | void,
): Promise<void> {
  const temporary = `${path}.new`
  await rm(temporary, { force: true })
  const database = new DatabaseSync(temporary)
  await fill(database)
  database.close()
  await rename(temporary, path)
}

export async function git(...argv: string[]): Promise<void> {
  const child = spawn('git', argv, { stdio: ['ignore', 'inherit', 'inherit'] })
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  if (code !== 0) throw new Error(`git exited with code ${String(code)}.`)
}
