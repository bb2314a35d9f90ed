import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Configuration } from '@kustos/domain/platform/configuration'
import { type Child, startChild } from './child.ts'
import type { DataFolder } from './data-folder.ts'
import { openLog } from './log-file.ts'
import { places } from './places.ts'
import { Refusal } from './refusal.ts'
import { type Kept, keepRunning } from './service.ts'
import { summarise } from './summary.ts'
import type { World } from './world.ts'

/** As in the Dockerfile: probes and lists leave little behind that lives, and much that does not. */
const flags = ['--max-semi-space-size=8']

/**
 * Starts the API and the worker, and keeps them running.
 *
 * @param settings their environment, asked for at each start
 * @returns null where the end was asked for meanwhile
 * @throws Refusal where the API does not get ready
 */
export async function startPrograms(
  world: World,
  folder: DataFolder,
  settings: () => NodeJS.ProcessEnv,
): Promise<Kept[] | null> {
  const { console, ending, end, configuration } = world
  const program = (name: string, file: string) => {
    const log = openLog(join(folder.logs, `${name}.log`))
    const title = `kustos-${name}`
    const summary = summarise(title, folder.nameOf(log.path), console.say)
    const start = () => startChild({ argv: [...flags, file], environment: settings(), log, summary })
    return { name: title, log, start, first: start() }
  }
  const programs = [program('api', places.api), program('worker', places.worker)] as const
  const kept: Kept[] = []
  ending.push(async () => {
    await Promise.all([...kept.map((one) => one.stop()), ...programs.map(({ first }) => first.stop())])
    await Promise.all(programs.map(({ log }) => log.close()))
  })
  const [api] = programs
  if (!(await isReady(api.first, configuration, folder.nameOf(api.log.path), end))) return null
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
