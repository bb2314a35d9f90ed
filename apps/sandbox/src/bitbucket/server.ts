import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { closing, listenAgain } from '../listening.ts'
import { trialDayTemplate } from './catalogue.ts'
import { requireGit } from './git.ts'
import { openRepositories } from './repositories.ts'
import { seedRepositories } from './seeding.ts'
import { service } from './service.ts'

export interface BitbucketSettings {
  /** Where its repositories, its token and its port are kept from one start to the next. */
  readonly folder: string
  /** Where to listen; the port of the last start, or any that is free, unless told otherwise. */
  readonly port?: number
  /** The first day is told as of this moment. */
  readonly now?: Date
}

export interface SandboxBitbucket {
  /** The REST API, for BITBUCKET_URL. */
  readonly url: string
  /** For BITBUCKET_WORKSPACE. */
  readonly workspace: string
  /** For BITBUCKET_TOKEN. */
  readonly token: string
  /** For TRIAL_DAY_TEMPLATE. */
  readonly trialDayTemplate: string
  stop(): Promise<void>
}

const workspace = 'kustos-agentur'

/**
 * Starts the sandbox's Bitbucket on loopback: its REST API under `/2.0`, its repositories for git beside it, and
 * `POST /_sandbox/health {"mode": …}` to make it ill.
 *
 * @throws Refusal where git is missing
 */
export async function startBitbucket(settings: BitbucketSettings): Promise<SandboxBitbucket> {
  await requireGit()
  const { folder } = settings
  await mkdir(folder, { recursive: true })
  const root = join(folder, 'repositories')
  if (!existsSync(root)) await seedRepositories(root, settings.now ?? new Date())
  const repositories = await openRepositories(root)
  const token = await keep(join(folder, 'token'), () => randomBytes(24).toString('base64url'))
  const server = createServer()
  const stop = closing(server)
  // Clones know the address that they came from.
  const port = await listenAgain(server, folder, settings.port)
  const place = { origin: `http://127.0.0.1:${port}`, workspace }
  server.on('request', service({ root, repositories, token, place }))
  return {
    url: `${place.origin}/2.0`,
    workspace,
    token,
    trialDayTemplate,
    stop,
  }
}

/** Makes a secret at the first start. */
async function keep(path: string, make: () => string): Promise<string> {
  if (!existsSync(path)) {
    // Whole or not at all: an empty token would let everybody in.
    await writeFile(`${path}.new`, make(), { mode: 0o600 })
    await rename(`${path}.new`, path)
  }
  return readFile(path, 'utf8')
}
