import { setTimeout as sleep } from 'node:timers/promises'
import { readConfiguration } from '@kustos/domain/platform/configuration'
import { openConsole } from './console.ts'
import { Refusal, reasonOf } from './refusal.ts'
import { startWorld, type World } from './world.ts'
import { watchWrappers } from './wrappers.ts'

/** Everything has to have ended within ten seconds; what has not by then is left to the next start. */
const patience = 9_700

/**
 * Starts the sandbox and keeps it until somebody asks it to end.
 *
 * @returns the exit code: 0 after an orderly end, 1 where it could not start; the reason is on stderr then
 */
export async function run(environment: NodeJS.ProcessEnv): Promise<number> {
  process.title = 'kustos'
  const console = openConsole(process.stdout)
  const end = new AbortController()
  const asked = Promise.withResolvers<void>()
  const ask = () => {
    if (end.signal.aborted) return
    end.abort()
    asked.resolve()
    console.say('\nStopping …')
    setTimeout(() => process.exit(1), patience).unref()
  }
  // A package manager hands a signal down that the terminal has sent already: the second one changes nothing.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ask)
  await watchWrappers(ask)

  const read = readConfiguration(environment)
  if (!read.ok) return refuse(`The configuration is wrong: ${read.sentence}`)
  const ending: World['ending'] = []
  try {
    const world = await startWorld({
      configuration: read.configuration,
      environment,
      console,
      end: end.signal,
      ending,
    })
    if (world !== null) await asked.promise
    return 0
  } catch (error) {
    if (end.signal.aborted) return 0
    return refuse(error instanceof Refusal ? error.message : `Kustos cannot start: ${reasonOf(error)}`)
  } finally {
    // The last started ends first, all that stand on the same level together.
    for (const stop of ending.reverse()) await stop()
    if (end.signal.aborted) console.say('Stopped.')
    // What was written has to get out through a pipe before the exit.
    await sleep(20)
  }
}

function refuse(sentence: string): number {
  process.stderr.write(`${sentence}\n`)
  return 1
}
