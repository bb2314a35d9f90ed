import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import { cpuSeconds, peakMemory, pidOf } from '../process.ts'
import { core, has, start, stop } from './machine.ts'
import { type Pace, paced } from './pace.ts'
import { hostOf, type World } from './world.ts'

/** Somebody who probes webs from a process of its own. */
export interface Contestant {
  readonly name: string
  /** Probes each of so many webs once. @returns how many have answered */
  round(webs: number, pace: Pace): Promise<number>
  readonly process: ChildProcess
  stop(): Promise<void>
}

/** For those that go as fast as they can. */
export const atOnce = 100

export async function startNodeClient(name: string, kind: string, world: World): Promise<Contestant> {
  const file = join(import.meta.dirname, 'clients.ts')
  const argv = [process.execPath, file, kind, String(world.port), world.authorityFile]
  const child = start(core.measured, argv, { channel: true })
  const message = async () => {
    const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${name} has ended`)))
    const [told] = await Promise.race([once(child, 'message'), ended])
    return told as { answered: number }
  }
  await message()
  return {
    name,
    process: child,
    async round(webs, pace) {
      child.send({ webs, pace })
      return (await message()).answered
    },
    stop: () => stop(child),
  }
}

const blackboxPort = 19_115

/** @returns null where it is not installed */
export async function startBlackbox(folder: string, world: World): Promise<Contestant | null> {
  const program = ['prometheus-blackbox-exporter', 'blackbox_exporter'].find(has)
  if (program === undefined) return null
  const config = join(folder, 'blackbox.yml')
  await writeFile(config, blackboxConfig(world))
  const child = start(
    core.measured,
    [
      program,
      `--config.file=${config}`,
      `--web.listen-address=127.0.0.1:${blackboxPort}`,
      '--log.level=error',
    ],
    { env: { GOMAXPROCS: '1' } },
  )
  const agent = new Agent({ connections: atOnce })
  const ask = async (path: string) => {
    const answer = await agent.request({ origin: `http://127.0.0.1:${blackboxPort}`, path, method: 'GET' })
    return await answer.body.text()
  }
  for (const until = Date.now() + 10_000; ; await sleep(100)) {
    const isThere = await ask('/-/healthy').then(
      () => true,
      () => false,
    )
    if (isThere) break
    if (Date.now() > until) throw new Error('blackbox_exporter does not answer')
  }
  const target = encodeURIComponent(`https://127.0.0.1:${world.port}/`)
  return {
    name: 'blackbox_exporter',
    process: child,
    round: (webs, pace) =>
      paced(webs, pace, async (web) => {
        const metrics = await ask(`/probe?module=web&target=${target}&hostname=${hostOf(web)}`)
        return metrics.includes('\nprobe_success 1')
      }),
    async stop() {
      await agent.destroy()
      await stop(child)
    },
  }
}

/** The same as ours: no redirects, 10 s, 256 KB. */
const blackboxConfig = ({ authorityFile }: World) => `
modules:
  web:
    prober: http
    timeout: 10s
    http:
      follow_redirects: false
      preferred_ip_protocol: ip4
      body_size_limit: 256KB
      tls_config: { ca_file: ${authorityFile} }
`

export interface Lap {
  /** Probes a second, and for each second of its process's time. */
  readonly perSecond: number
  readonly perCpuSecond: number
}

/** @throws where a web has not answered: then it is no measurement */
export async function lap(contestant: Contestant, webs: number, pace: Pace): Promise<Lap> {
  const pid = pidOf(contestant.process)
  const [started, before] = [performance.now(), await cpuSeconds(pid)]
  const answered = await contestant.round(webs, pace)
  const [seconds, cpu] = [(performance.now() - started) / 1000, (await cpuSeconds(pid)) - before]
  if (answered !== webs) throw new Error(`${contestant.name}: ${answered} of ${webs} have answered`)
  return { perSecond: webs / seconds, perCpuSecond: webs / cpu }
}

export const memoryOf = ({ process: child }: Contestant) => peakMemory(pidOf(child))
