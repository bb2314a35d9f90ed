import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '@kustos/database/client'
import type { Configuration } from '@kustos/domain/configuration'
import { type Child, startChild } from './child.ts'
import type { Console } from './console.ts'
import { type DataFolder, keepSecret, takeDataFolder } from './data-folder.ts'
import { checkDatabase, migrateDatabase, placeOf, startPostgres } from './database.ts'
import { buildFrontend } from './frontend.ts'
import { openLog } from './log-file.ts'
import { places } from './places.ts'
import { checkPort } from './port.ts'
import { Refusal } from './refusal.ts'
import { seed } from './seed/index.ts'
import { administrator, password } from './seed/users.ts'
import { type Kept, keepRunning } from './service.ts'
import { summarise } from './summary.ts'

export interface World {
  readonly configuration: Configuration
  readonly environment: NodeJS.ProcessEnv
  readonly console: Console
  /** Aborted when the world has to end, be it complete or not. */
  readonly end: AbortSignal
  /** What ends each part that was started, in the order of the starts. */
  readonly ending: (() => Promise<void>)[]
}

/**
 * Brings everything up, one step after the other.
 *
 * @returns null where the end was asked for meanwhile
 * @throws Refusal
 */
export async function startWorld(world: World): Promise<'ready' | null> {
  const { configuration, console, end, ending } = world
  const address = `http://localhost:${configuration.PORT}`
  const folder = await takeDataFolder(configuration.KUSTOS_DATA_DIR, address)
  ending.push(() => folder.release())
  await checkPort(configuration.HOST, configuration.PORT)
  const log = (name: string) => join(folder.logs, `${name}.log`)
  console.say(`Kustos starts; its data and logs lie in ${folder.name}\n`)

  await console.step(
    'frontend',
    () => buildFrontend(log('build'), end),
    (outcome) => outcome,
  )
  if (end.aborted) return null
  const database = await bringDatabase(world, folder)
  if (end.aborted) return null
  await console.step(
    'schema',
    () => migrateDatabase(database.url()),
    () => 'up to date',
  )
  if (end.aborted) return null
  await console.step(
    'inventory',
    () => fill(database.url(), configuration.KUSTOS_SANDBOX_WEBS),
    ({ webs, added }) => `${webs} webs${added > 0 && added < webs ? `, ${added} of them new` : ''}`,
  )
  if (end.aborted) return null
  const secret = configuration.SESSION_SECRET ?? (await keepSecret(folder))
  const settings = (): NodeJS.ProcessEnv => ({
    NODE_ENV: 'production',
    ...world.environment,
    PORT: String(configuration.PORT),
    HOST: configuration.HOST,
    SESSION_SECRET: secret,
    DATABASE_URL: database.url(),
  })
  const programs = await console.step(
    'programs',
    () => startPrograms(world, folder, settings),
    () => 'kustos-api, kustos-worker',
  )
  if (programs === null) return null
  database.onMoved(() => Promise.all(programs.map((program) => program.restart())))

  console.say(`\nKustos is ready at ${address}`)
  console.say(`Sign in as ${administrator} with the password ${password}`)
  console.say('Ctrl-C stops it; the data stay for the next start.\n')
  return 'ready'
}

interface Database {
  url(): string
  /** Tells when Postgres came back on another port, its old one being taken. */
  onMoved(listener: () => Promise<unknown>): void
}

/** Takes the database named in the configuration, or starts the embedded one and keeps it running. */
async function bringDatabase(world: World, folder: DataFolder): Promise<Database> {
  const { configuration, console, ending } = world
  const { DATABASE_URL: given } = configuration
  if (given !== undefined) {
    await console.step(
      'database',
      () => checkDatabase(given),
      () => placeOf(given),
    )
    return { url: () => given, onMoved: () => undefined }
  }
  const first = await console.step(
    'database',
    () => startPostgres(folder),
    ({ port }) => `Postgres on port ${port}`,
  )
  let current = first
  let moved: () => Promise<unknown> = async () => undefined
  const service = {
    name: 'Postgres',
    async start() {
      const before = current.url
      current = await startPostgres(folder, current.port)
      if (current.url !== before) await moved()
      return current
    },
  }
  const kept = keepRunning(service, first, console.say)
  ending.push(kept.stop)
  return {
    url: () => current.url,
    onMoved: (listener) => {
      moved = listener
    },
  }
}

async function fill(url: string, webs: number): Promise<{ webs: number; added: number }> {
  const database = openDatabase(url, { name: 'kustos-sandbox', max: 2 })
  try {
    return await seed(database.db, { webs })
  } finally {
    await database.close()
  }
}

/** @returns null where the end was asked for meanwhile */
async function startPrograms(
  world: World,
  folder: DataFolder,
  settings: () => NodeJS.ProcessEnv,
): Promise<Kept[] | null> {
  const { console, ending, end, configuration } = world
  const program = (name: string, script: string) => {
    const log = openLog(join(folder.logs, `${name}.log`))
    const title = `kustos-${name}`
    const summary = summarise(title, relative(places.root, log.path), console.say)
    const start = () => startChild({ script, environment: settings(), log, summary })
    return { name: title, log, start, first: start() }
  }
  const programs = [program('api', places.api), program('worker', places.worker)] as const
  const kept: Kept[] = []
  ending.push(async () => {
    await Promise.all([...kept.map((one) => one.stop()), ...programs.map(({ first }) => first.stop())])
    await Promise.all(programs.map(({ log }) => log.close()))
  })
  const [api] = programs
  if (!(await isReady(api.first, configuration, relative(places.root, api.log.path), end))) return null
  for (const { name, start, first } of programs) {
    kept.push(keepRunning({ name, start: async () => start() }, first, console.say))
  }
  return kept
}

/** Waits until the API answers that it and its database are ready. */
async function isReady(
  api: Child,
  configuration: Configuration,
  log: string,
  end: AbortSignal,
): Promise<boolean> {
  const deadline = Date.now() + 60_000
  const { HOST: host, PORT: port } = configuration
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  const died = api.ended.then((reason) => {
    if (end.aborted) return
    throw new Refusal(`The API does not start: ${api.lastWords() || reason} (${log})`)
  })
  // Its end matters here only as long as it is waited for.
  died.catch(() => undefined)
  // Until it says that it listens, somebody else could be answering there.
  await Promise.race([api.said, died, sleep(60_000, undefined, { ref: false })])
  while (!end.aborted && Date.now() < deadline) {
    const answer = await Promise.race([died, ask(`http://${name}:${port}/api/ready`)])
    if (answer === true) return true
    await sleep(50)
  }
  if (end.aborted) return false
  throw new Refusal(`The API does not get ready within a minute (${log}).`)
}

async function ask(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    await answer.body?.cancel()
    return answer.ok
  } catch {
    // It does not listen yet.
    return false
  }
}
