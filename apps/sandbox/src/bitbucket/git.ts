import { execFile, spawn } from 'node:child_process'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { codeOf, Refusal, reasonOf } from '../refusal.ts'

const run = promisify(execFile)

/** Git as it comes, whatever this machine's users have configured. */
export const gitEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  // The data folder may have been made by another user.
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'safe.directory',
  GIT_CONFIG_VALUE_0: '*',
})

/** @throws Refusal where git, or the part of it that serves repositories over HTTP, is missing */
export async function requireGit(): Promise<void> {
  const missing = 'The sandbox keeps its repositories with git'
  try {
    const { stdout } = await run('git', ['--exec-path'], { env: gitEnvironment() })
    await access(join(stdout.trim(), 'git-http-backend'))
  } catch (error) {
    if (codeOf(error) !== 'ENOENT')
      throw new Refusal(`${missing}, which does not run here: ${reasonOf(error)}.`)
    const what =
      error instanceof Error && 'syscall' in error && error.syscall === 'access' ? 'git-http-backend' : 'git'
    throw new Refusal(
      `${missing}, and ${what} is missing on this machine: install it (Debian: apt-get install git; Alpine: apk add git-daemon).`,
    )
  }
}

/** Runs git to its end. @param input is written to its standard input */
export async function git(args: readonly string[], input = ''): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const child = spawn('git', args, { env: gitEnvironment(), stdio: ['pipe', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (more: string) => {
      said += more
    })
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`git ${args.join(' ')} ended with ${code}: ${said.trim()}`))
    })
    // Its exit code tells more than that it no longer reads.
    child.stdin.on('error', () => undefined).end(input)
  })
}
