import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Child, startChild } from './child-process.ts'
import { type DataFolder, displayPath } from './data-folder.ts'
import { openLog } from './log-file.ts'
import { createWarningPrinter } from './log-warnings.ts'
import { paths } from './paths.ts'
import { StartError } from './start-error.ts'
import type { StartContext } from './start-sandbox.ts'
import { type Supervisor, supervise } from './supervisor.ts'

/** As in the Dockerfile: most memory of probes and lists is short-lived. */
const nodeOptions = ['--max-semi-space-size=8']
const readyTimeoutMs = 60_000

/**
 * Starts the API and the worker under supervision.
 *
 * @param createEnvironment called at each start of a process
 * @returns null if the sandbox has been stopped
 * @throws StartError if the API does not become ready
 */
export async function startPrograms(
  context: StartContext,
  folder: DataFolder,
  createEnvironment: () => NodeJS.ProcessEnv,
): Promise<readonly Supervisor[] | null> {
  const { console, stops } = context
  const createProgram = (name: string, script: string) => {
    const log = openLog(join(folder.logs, `${name}.log`))
    const title = `kustos-${name}`
    const onLine = createWarningPrinter(title, displayPath(log.path), console.print)
    const argv = [...nodeOptions, script]
    const start = () => startChild({ argv, environment: createEnvironment(), log, onLine })
    return { name: title, log, start, first: start() }
  }
  const api = createProgram('api', paths.api)
  const programs = [api, createProgram('worker', paths.worker)]
  const supervisors: Supervisor[] = []
  stops.push(async () => {
    await Promise.all([...supervisors, ...programs.map(({ first }) => first)].map((one) => one.stop()))
    await Promise.all(programs.map(({ log }) => log.close()))
  })
  if (!(await waitUntilReady(api.first, context, displayPath(api.log.path)))) return null
  for (const { name, start, first } of programs)
    supervisors.push(supervise({ name, start: async () => start() }, first, console.print))
  return supervisors
}

/** @returns false if the sandbox has been stopped */
async function waitUntilReady(api: Child, { configuration, stopSignal }: StartContext, log: string) {
  const deadline = Date.now() + readyTimeoutMs
  const { HOST, PORT } = configuration
  const host = HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST
  const exited = api.exited.then((reason) => {
    if (!stopSignal.aborted)
      throw new StartError(`The API does not start: ${api.lastErrorLine() || reason} (${log})`)
  })
  // Its exit only matters while this function waits.
  exited.catch(() => undefined)
  // Before its first message another program could answer on this port.
  await Promise.race([api.firstMessage, exited, sleep(readyTimeoutMs, undefined, { ref: false })])
  while (!stopSignal.aborted && Date.now() < deadline) {
    if (await Promise.race([exited, isOk(`http://${host}:${PORT}/api/ready`)])) return true
    await sleep(50)
  }
  if (stopSignal.aborted) return false
  throw new StartError(`The API did not become ready within a minute (${log}).`)
}

async function isOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    await response.body?.cancel()
    return response.ok
  } catch {
    // It does not listen yet.
    return false
  }
}
