import { rmSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findAccount } from '../src/embedded/account.ts'
import { endLeftovers } from '../src/embedded/leftovers.ts'
import { startEmbedded } from '../src/embedded.ts'
import { startContainer } from './container.ts'
import { findEngine } from './engine.ts'

export interface TestPostgres {
  readonly kind: 'container' | 'embedded'
  /** Of a superuser, for the database `postgres`. */
  readonly url: string
  stop(): Promise<void>
}

/**
 * A Postgres for tests: in a container where a container engine answers, else the one that comes with the project.
 *
 * @param report gets a sentence where an engine answers and yet gives no Postgres
 */
export async function startTestPostgres(report: (sentence: string) => void): Promise<TestPostgres> {
  const engine = await findEngine()
  if (engine === null) return startInMemory()
  try {
    return await startContainer(engine)
  } catch (error) {
    // Such as an engine that cannot reach its registry.
    report(`The container engine at ${engine} gives no Postgres (${String(error)}): taking the embedded one.`)
    return startInMemory()
  }
}

const prefix = 'kustos-test-'
const gib = 1024 ** 3

async function startInMemory(): Promise<TestPostgres> {
  const parent = await findParent()
  await clearLeftovers(parent)
  const folder = await mkdtemp(join(parent, `${prefix}${process.pid}-`))
  const clear = () => rm(folder, { recursive: true, force: true, maxRetries: 5 })
  try {
    const postgres = await startEmbedded({
      folder,
      database: 'postgres',
      durable: false,
      settings: { max_connections: 200 },
    })
    // A run that is interrupted ends without waiting for anything: Postgres must not outlive it all the same.
    const abandon = () => abandonNow(postgres.pid, folder)
    process.once('exit', abandon)
    return {
      kind: 'embedded',
      url: postgres.url,
      stop: async () => {
        process.off('exit', abandon)
        await postgres.stop()
        await clear()
      },
    }
  } catch (error) {
    await clear()
    throw error
  }
}

/** Ends a Postgres whose rows nobody wants any more, and removes its folder, before this returns. */
function abandonNow(pid: number, folder: string): void {
  try {
    process.kill(pid, 'SIGQUIT')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
  } catch {
    // Ended already, or still writing: the next run clears what is left.
  }
}

/** Memory where there is a GiB of it to spare: a clone of the template takes 20 ms there. */
async function findParent(): Promise<string> {
  try {
    const { bavail, bsize } = await statfs('/dev/shm')
    if (bavail * bsize >= gib) return '/dev/shm'
  } catch {
    // No such place on this system.
  }
  return tmpdir()
}

/** Ends and removes what a run of this user that was killed has left; its folder carries its process id. */
async function clearLeftovers(parent: string): Promise<void> {
  const own = [process.getuid?.(), (await findAccount())?.uid]
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue
    const pid = Number(name.slice(prefix.length).split('-')[0])
    if (!Number.isSafeInteger(pid) || pid <= 0 || isAlive(pid)) continue
    const folder = join(parent, name)
    // Those of others cannot be removed, or their Postgres not be seen.
    const owner = await stat(folder).catch(() => null)
    if (owner === null || !own.includes(owner.uid)) continue
    await endLeftovers(folder)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it lives and is somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
