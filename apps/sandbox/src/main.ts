import { setTimeout as sleep } from 'node:timers/promises'
import { readConfiguration } from '@kustos/domain/platform/configuration'
import { checkPort } from './check-port.ts'
import { openConsole } from './console.ts'
import { openDataFolder } from './data-folder.ts'
import { watchPackageManagers } from './package-managers.ts'
import { describeError, StartError } from './start-error.ts'
import type { StartContext } from './start-sandbox.ts'

/** The sandbox promises to stop within ten seconds. */
const stopTimeoutMs = 9_700

/**
 * Runs the sandbox until it is told to stop.
 * @returns the exit code: 0 after an orderly stop, 1 if it cannot start, with the reason on stderr
 */
async function run(environment: NodeJS.ProcessEnv): Promise<number> {
  process.title = 'kustos'
  const console = openConsole(process.stdout)
  const stopping = new AbortController()
  const stopped = Promise.withResolvers<void>()
  const requestStop = () => {
    // A package manager may forward a signal that the terminal has sent already.
    if (stopping.signal.aborted) return
    stopping.abort()
    stopped.resolve()
    console.print('\nStopping …')
    setTimeout(() => process.exit(1), stopTimeoutMs).unref()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, requestStop)
  await watchPackageManagers(requestStop)

  const read = readConfiguration(environment)
  if (!read.ok) return fail(`The configuration is wrong: ${read.sentence}`)
  const stops: StartContext['stops'] = []
  try {
    const { configuration } = read
    const { HOST, PORT, KUSTOS_DATA_DIR } = configuration
    const address = `http://localhost:${PORT}`
    const folder = await openDataFolder(KUSTOS_DATA_DIR, address)
    stops.push(() => folder.release())
    await checkPort(HOST, PORT)
    // Loaded only now, so that what prevents a start is said at once.
    const { startSandbox } = await import('./start-sandbox.ts')
    const stopSignal = stopping.signal
    const context = { configuration, address, environment, console, stopSignal, stops }
    if (await startSandbox(context, folder)) await stopped.promise
    return 0
  } catch (error) {
    if (stopping.signal.aborted) return 0
    return fail(error instanceof StartError ? error.message : `Kustos cannot start: ${describeError(error)}`)
  } finally {
    for (const stop of stops.reverse()) await stop()
    if (stopping.signal.aborted) console.print('Stopped.')
    // Output to a pipe is asynchronous.
    await sleep(20)
  }
}

function fail(reason: string): number {
  process.stderr.write(`${reason}\n`)
  return 1
}

process.exit(await run(process.env))
