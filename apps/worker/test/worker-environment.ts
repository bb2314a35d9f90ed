import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { deployments, inspections, nodes, webs } from '@kustos/database/tables'
import type { TestDatabase } from '@kustos/database/testing'
import { readConfiguration } from '@kustos/domain/platform/configuration'
import { type Context, createContext } from '@kustos/domain/platform/context'
import { openExternalServices } from '@kustos/domain/services'
import { createUser, findRolesByName, findUserWithPermissions } from '@kustos/domain/users'
import { eq } from 'drizzle-orm'
import { afterAll } from 'vitest'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

export interface WorkerEnvironmentOptions {
  readonly redisUrl?: string | undefined
  /** The steps after the pre-flight by kind. Other kinds have no recipe. */
  readonly recipes?: Readonly<Record<string, readonly object[]>>
  /** Further environment variables. */
  readonly variables?: Readonly<Record<string, string>>
}

/** Prepares nodes as local folders and starts real workers in their own processes. */
export async function openWorkerEnvironment(
  database: TestDatabase,
  { redisUrl, recipes = {}, variables = {} }: WorkerEnvironmentOptions,
) {
  const folder = await mkdtemp(join(tmpdir(), 'kustos-working-'))
  const recipesFile = join(folder, 'recipes.json')
  const preFlight = { name: 'pre-flight', place: 'builtin', do: 'pre-flight' }
  await writeFile(
    recipesFile,
    JSON.stringify(
      Object.fromEntries(Object.entries(recipes).map(([kind, steps]) => [kind, [preFlight, ...steps]])),
    ),
  )
  const environment = {
    PATH: process.env.PATH ?? '',
    ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
    DATABASE_URL: database.url,
    LOCAL_NODES_DIR: join(folder, 'nodes'),
    RECIPES_FILE: recipesFile,
    KUSTOS_DATA_DIR: folder,
    LOG_LEVEL: 'warn',
    // So long that other tests see no round.
    PROBE_INTERVAL: '3600',
    ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
    ...variables,
  }
  const read = readConfiguration(environment)
  if (!read.ok) throw new Error(read.sentence)
  const services = await openExternalServices(read.configuration, {
    databaseUrl: database.url,
    onError: () => undefined,
  })
  const workers = new Set<ChildProcess>()
  afterAll(async () => {
    for (const worker of workers) await end(worker, 'SIGKILL')
    await services.close()
    await rm(folder, { recursive: true, force: true })
  })

  const spawnWorker = (): ChildProcess => {
    const child = spawn(process.execPath, [main], {
      env: { ...environment, LOG_LEVEL: 'info' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    workers.add(child)
    child.once('exit', () => workers.delete(child))
    return child
  }

  return {
    folder,
    tools: services.deployments,
    spawnWorker,
    /** Starts a worker and waits until it takes jobs and schedules tasks. */
    async startWorker(): Promise<ChildProcess> {
      const child = spawnWorker()
      await untilStarted(child)
      return child
    },
    async file(path: string): Promise<string> {
      return readFile(join(folder, path), 'utf8').catch(() => '')
    },
  }
}

/** Waits until a worker that logs at the level info takes jobs and schedules tasks. */
export const untilStarted = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('worker started')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`The worker ended with ${code}`)))
  })

export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number> {
  if (child.exitCode !== null || child.signalCode !== null) return 0
  const started = Date.now()
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
  return Date.now() - started
}

export async function adminContext(database: TestDatabase): Promise<Context> {
  const context = createContext(database)
  const { id } = await createUser(context, {
    email: 'admin@kustos.test',
    name: 'Admin',
    password: 'correct horse battery',
    roles: await findRolesByName(context, ['admin']),
    monitoring_mail_subscription: false,
  })
  return createContext(database, await findUserWithPermissions(database.db, id))
}

export async function createNodes(database: TestDatabase, count: number): Promise<number[]> {
  const rows = await database.db
    .insert(nodes)
    .values(
      Array.from({ length: count }, (_, index) => ({
        name: `n${index + 1}`,
        plesk_fqdn: `n${index + 1}.plesk.test`,
        address: '192.0.2.1',
        cloud_enabled: true,
      })),
    )
    .returning({ id: nodes.id })
  return rows.map((row) => row.id)
}

let webCount = 0
/** Inserts webs that workers do not refresh by themselves. @returns their ids */
export async function insertWebs(
  database: TestDatabase,
  nodeIds: readonly number[],
  count: number,
): Promise<number[]> {
  const rows = await database.db
    .insert(webs)
    .values(
      Array.from({ length: count }, (_, index) => {
        webCount += 1
        const fqdn = `web${webCount}.test`
        return {
          fqdn,
          fqdn_ascii: fqdn,
          customer: 'ALPEN',
          configured_ip: '192.0.2.1',
          node_id: nodeIds[index % nodeIds.length] ?? null,
          sysuser: `web${webCount}`,
          repository: `web134-${fqdn}`,
        }
      }),
    )
    .returning({ id: webs.id })
  const ids = rows.map((row) => row.id)
  await skipRefreshes(database, ids)
  return ids
}

/** Prevents the automatic refreshes of new webs and those at night, by recording a later refresh. */
export async function skipRefreshes(database: TestDatabase, webIds: readonly number[]): Promise<void> {
  const tomorrow = new Date(Date.now() + 24 * 3_600_000)
  await database.db
    .insert(inspections)
    .values(webIds.map((id) => ({ web_id: id, kind: 'refresh', state: 'succeeded', created_at: tomorrow })))
}

/** Waits until a deployment is in one of the states. @returns its row */
export async function waitForState(
  { db }: TestDatabase,
  id: number,
  states: readonly string[],
  timeoutMs = 30_000,
): Promise<typeof deployments.$inferSelect> {
  const until = Date.now() + timeoutMs
  for (;;) {
    const [row] = await db.select().from(deployments).where(eq(deployments.id, id))
    if (row && states.includes(row.state)) return row
    if (Date.now() > until) throw new Error(`Deployment ${id} is still ${row?.state}: ${row?.waits_for}`)
    await sleep(50)
  }
}

/** Whether a process is running. A zombie is not. */
export async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  return stat !== null && stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z'
}
