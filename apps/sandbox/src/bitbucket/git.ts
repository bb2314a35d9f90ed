import { execFile, spawn } from 'node:child_process'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describeError, errorCode, StartError } from '../start-error.ts'

const run = promisify(execFile)

/** Makes git independent of the configuration of this machine and its users. */
export const gitEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  // Another user may own the data folder.
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'safe.directory',
  GIT_CONFIG_VALUE_0: '*',
})

/** @throws StartError if git, or its part that serves repositories over HTTP, is missing */
export async function requireGit(): Promise<void> {
  const purpose = 'The sandbox keeps its repositories with git'
  let missing = 'git'
  try {
    const { stdout } = await run('git', ['--exec-path'], { env: gitEnvironment() })
    missing = 'git-http-backend'
    await access(join(stdout.trim(), missing))
  } catch (error) {
    if (errorCode(error) !== 'ENOENT')
      throw new StartError(`${purpose}, which does not run here: ${describeError(error)}.`)
    throw new StartError(
      `${purpose}, and ${missing} is missing on this machine: install it (Debian: apt-get install git; Alpine: apk add git-daemon).`,
    )
  }
}

/** Runs git to completion. @param input is written to its standard input */
export async function git(args: readonly string[], input = ''): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const child = spawn('git', args, { env: gitEnvironment(), stdio: ['pipe', 'ignore', 'pipe'] })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk
    })
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`git ${args.join(' ')} exited with ${code}: ${stderr.trim()}`))
    })
    // The exit code explains more than a broken pipe.
    child.stdin.on('error', () => undefined).end(input)
  })
}
