import { rmSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopStaleProcesses } from '../src/embedded/stale-processes.ts'
import { findUnixUser } from '../src/embedded/unix-user.ts'
import { startEmbedded } from '../src/embedded.ts'
import { startContainer } from './container.ts'
import { findEngine } from './engine.ts'

export interface TestPostgres {
  readonly kind: 'container' | 'embedded'
  /** For the database `postgres`, as a superuser. */
  readonly url: string
  stop(): Promise<void>
}

/**
 * A Postgres for tests: in a container if a container engine responds, otherwise the embedded one.
 *
 * @param report is called if an engine responds but cannot start Postgres
 */
export async function startTestPostgres(report: (sentence: string) => void): Promise<TestPostgres> {
  const engine = await findEngine()
  if (engine === null) return startInMemory()
  try {
    return await startContainer(engine)
  } catch (error) {
    // Such as an engine that cannot reach its registry.
    report(
      `The container engine at ${engine} cannot start Postgres (${String(error)}): using the embedded one.`,
    )
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
      settings: { max_connections: 500 },
    })
    // An interrupted run ends without waiting, but Postgres must not outlive it.
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

/** Synchronously kills Postgres and removes its folder. */
function abandonNow(pid: number, folder: string): void {
  try {
    process.kill(pid, 'SIGQUIT')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
  } catch {
    // It has ended or is still writing. The next run removes the rest.
  }
}

/** In memory if a GiB is free: a clone of the template takes 20 ms there. */
async function findParent(): Promise<string> {
  try {
    const { bavail, bsize } = await statfs('/dev/shm')
    if (bavail * bsize >= gib) return '/dev/shm'
  } catch {
    // This system has no /dev/shm.
  }
  return tmpdir()
}

/** Removes the folders of killed runs of this user. Their names contain the process id. */
async function clearLeftovers(parent: string): Promise<void> {
  const own = [process.getuid?.(), (await findUnixUser())?.uid]
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue
    const pid = Number(name.slice(prefix.length).split('-')[0])
    if (!Number.isSafeInteger(pid) || pid <= 0 || isAlive(pid)) continue
    const folder = join(parent, name)
    // Folders of other users cannot be removed.
    const owner = await stat(folder).catch(() => null)
    if (owner === null || !own.includes(owner.uid)) continue
    await stopStaleProcesses(folder)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it runs as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
