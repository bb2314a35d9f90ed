import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import { cpuSeconds, peakMemory, requirePid } from '../process.ts'
import { core, isInstalled, startOnCore, stop } from './machine.ts'
import { type Pace, runPaced } from './run-paced.ts'
import { formatHost, type TargetServer } from './target-server.ts'

/** A prober in its own process. */
export interface Candidate {
  readonly name: string
  /** Probes each web once. @returns the number of webs that responded */
  round(webs: number, pace: Pace): Promise<number>
  readonly process: ChildProcess
  stop(): Promise<void>
}

/** Probes at a time in rounds that run as fast as possible. */
export const concurrency = 100

export async function startNodeClient(name: string, kind: string, server: TargetServer): Promise<Candidate> {
  const file = join(import.meta.dirname, 'clients.ts')
  const argv = [process.execPath, file, kind, String(server.port), server.authorityFile]
  const child = startOnCore(core.measured, argv, { channel: true })
  const message = async () => {
    const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${name} has ended`)))
    const [message] = await Promise.race([once(child, 'message'), ended])
    return message as { responded: number }
  }
  await message()
  return {
    name,
    process: child,
    async round(webs, pace) {
      child.send({ webs, pace })
      return (await message()).responded
    },
    stop: () => stop(child),
  }
}

const blackboxPort = 19_115

/** @returns null if it is not installed */
export async function startBlackbox(folder: string, server: TargetServer): Promise<Candidate | null> {
  const program = ['prometheus-blackbox-exporter', 'blackbox_exporter'].find(isInstalled)
  if (program === undefined) return null
  const config = join(folder, 'blackbox.yml')
  await writeFile(config, blackboxConfig(server))
  const child = startOnCore(
    core.measured,
    [
      program,
      `--config.file=${config}`,
      `--web.listen-address=127.0.0.1:${blackboxPort}`,
      '--log.level=error',
    ],
    { env: { GOMAXPROCS: '1' } },
  )
  const agent = new Agent({ connections: concurrency })
  const ask = async (path: string) => {
    const response = await agent.request({ origin: `http://127.0.0.1:${blackboxPort}`, path, method: 'GET' })
    return await response.body.text()
  }
  for (const until = Date.now() + 10_000; ; await sleep(100)) {
    const isHealthy = await ask('/-/healthy').then(
      () => true,
      () => false,
    )
    if (isHealthy) break
    if (Date.now() > until) throw new Error('blackbox_exporter does not respond')
  }
  const target = encodeURIComponent(`https://127.0.0.1:${server.port}/`)
  return {
    name: 'blackbox_exporter',
    process: child,
    round: (webs, pace) =>
      runPaced(webs, pace, async (web) => {
        const metrics = await ask(`/probe?module=web&target=${target}&hostname=${formatHost(web)}`)
        return metrics.includes('\nprobe_success 1')
      }),
    async stop() {
      await agent.destroy()
      await stop(child)
    },
  }
}

/** With the limits of our prober: no redirects, 10 s, 256 KB. */
const blackboxConfig = ({ authorityFile }: TargetServer) => `
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

export interface ProbeRates {
  readonly perSecond: number
  readonly perCpuSecond: number
}

/** @throws if a web did not respond */
export async function measureRound(candidate: Candidate, webs: number, pace: Pace): Promise<ProbeRates> {
  const pid = requirePid(candidate.process)
  const [started, before] = [performance.now(), await cpuSeconds(pid)]
  const responded = await candidate.round(webs, pace)
  const [seconds, cpu] = [(performance.now() - started) / 1000, (await cpuSeconds(pid)) - before]
  if (responded !== webs) throw new Error(`${candidate.name}: ${responded} of ${webs} have responded`)
  return { perSecond: webs / seconds, perCpuSecond: webs / cpu }
}

export const readPeakMemory = ({ process: child }: Candidate) => peakMemory(requirePid(child))
