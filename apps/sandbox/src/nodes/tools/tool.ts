import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

/** So that somebody who watches can read along, as on a machine that has more to do. In milliseconds. */
const pause = 80

/** Writes a line into the deployment's log. */
export async function say(line: string): Promise<void> {
  process.stdout.write(`${line}\n`)
  await sleep(pause)
}

/** What went wrong, in a sentence for staff. */
export class Complaint extends Error {
  override readonly name = 'Complaint'
}

/** Runs a tool with its arguments, in the node's folder. Its complaint is the last line of the log. */
export async function runTool<const Names extends readonly string[]>(
  names: Names,
  work: (...values: { [Index in keyof Names]: string }) => Promise<void>,
): Promise<void> {
  const values = process.argv.slice(2)
  try {
    if (values.length !== names.length) throw new Complaint(`This tool takes ${names.join(', ')}.`)
    // As many as there are names.
    await work(...(values as { [Index in keyof Names]: string }))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

/** @throws Complaint where git fails; what it says is in the log by then */
export async function git(...argv: string[]): Promise<void> {
  const child = spawn('git', argv, { stdio: ['ignore', 'inherit', 'inherit'] })
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  if (code !== 0) throw new Complaint(`git ended with exit code ${String(code)}.`)
}
