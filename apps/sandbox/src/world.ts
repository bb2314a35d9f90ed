import type { Configuration } from '@kustos/domain/platform/configuration'
import type { Console } from './console.ts'
import { keepSecret, takeDataFolder } from './data-folder.ts'
import { checkPort } from './port.ts'
import { prepare } from './preparation.ts'
import { startPrograms } from './programs.ts'
import { administrator, password } from './seed/users.ts'
import { startSurroundings } from './surroundings.ts'

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
  console.say(`Kustos starts; its data and logs lie in ${folder.name}\n`)

  const database = await prepare(world, folder)
  if (end.aborted) return null
  const surroundings = await console.step(
    'outside',
    () => startSurroundings(world, folder, database.url()),
    () => 'Bitbucket, nodes, sites, names, registrar, messages',
  )
  if (end.aborted) return null
  const secret = configuration.SESSION_SECRET ?? (await keepSecret(folder))
  const settings = (): NodeJS.ProcessEnv => ({
    NODE_ENV: 'production',
    ...world.environment,
    ...surroundings.settings,
    PORT: String(configuration.PORT),
    HOST: configuration.HOST,
    SESSION_SECRET: secret,
    DATABASE_URL: database.url(),
    // Where these were given by files, they have been read.
    SESSION_SECRET_FILE: undefined,
    DATABASE_URL_FILE: undefined,
  })
  const programs = await console.step(
    'programs',
    () => startPrograms(world, folder, settings),
    (started) => started && 'kustos-api, kustos-worker',
  )
  if (programs === null) return null
  database.onMoved(() => Promise.all(programs.map((program) => program.restart())))

  console.say(`
Kustos is ready at ${address}
Sign in as ${administrator} with the password ${password}
Ctrl-C stops it; the data stay for the next start.${
    surroundings.messagesUrl === null ? '' : `\nMessages that Kustos sends here: ${surroundings.messagesUrl}`
  }
`)
  return 'ready'
}
