import { setTimeout as sleep } from 'node:timers/promises'
import { asciiFqdn } from '@kustos/contract/webs'
import { type Behaviour, findHostsByBehaviour } from '../../src/seed/behaviours.ts'
import { createVisitor } from '../system.ts'
import { compareWithLedger, readLogChecksum } from './compare-with-ledger.ts'
import { createRecoveryTimes, formatSeconds, watchExpiredLeases } from './figures.ts'
import { findViolations, readLoadScope } from './invariants.ts'
import { createLedger } from './ledger.ts'
import { startLoad } from './load.ts'
import { createRandom } from './random.ts'
import type { Program, SystemUnderFaults } from './system-under-faults.ts'
import {
  countResentMessages,
  type KillTime,
  settleTimeoutMs,
  waitUntilSettled,
} from './wait-until-settled.ts'

/** The number of kills between two checks. */
const killsPerCheck = 10
/** A frozen worker wakes before or after its leases (8 s) and the timeouts of its probes (10 s) have expired. */
const maxFreezeMs = 15_000
/** A program that ran this long is restarted at once. Otherwise, the sandbox delays the restart more and more. */
const minUptimeMs = 10_000

/** Kinds of webs that may be down without a fault. */
const unstableKinds = [
  'flapping',
  'failing',
  'silent',
  'refusing',
  'without-tls',
  'expired',
  'misnamed',
  'redirecting',
  'endless',
  'slow',
] as const

/** Whether it has the connections of clients. */
const isServer = (program: Program) => /api|edge/.test(program)
const isStore = (program: Program) => /postgres|redis|pgbouncer/.test(program)

export interface KillReport {
  readonly lost: readonly string[]
  readonly duplicated: readonly string[]
  /** Work that was unfinished a minute after the last kill without a worker, or three minutes after it. */
  readonly stuck: readonly string[]
  /** Violated rules and invalid responses. */
  readonly violations: readonly string[]
  readonly report: readonly string[]
}

/** Kills programs and freezes workers at random moments under load, and checks the invariants after every ten times. */
export async function killAtRandom(options: {
  /** Names the run in what is printed. */
  readonly name: string
  readonly start: () => Promise<SystemUnderFaults>
  readonly kills: number
  readonly seed: number
  readonly print: (line: string) => void
}): Promise<KillReport> {
  const { name, kills, print } = options
  const random = createRandom(options.seed)
  const system = await options.start()
  let hasFaults = true
  try {
    const found = await killUnderLoad()
    hasFaults = [found.lost, found.duplicated, found.stuck, found.violations].some(({ length }) => length > 0)
    return found
  } finally {
    if (hasFaults) print(`${name}: the logs of the programs are in ${await system.keepLogs()}`)
    await system.stop()
  }

  async function killUnderLoad(): Promise<KillReport> {
    const { database, url } = system
    const ledger = createLedger()
    const times = createRecoveryTimes()
    const listHosts = (kinds: readonly Behaviour['kind'][]) =>
      findHostsByBehaviour(...kinds).map((host) => asciiFqdn(host) ?? host)
    const scope = await readLoadScope(database, {
      unstable: listHosts(unstableKinds),
      dead: listHosts(['silent', 'refusing', 'without-tls', 'expired', 'misnamed']),
    })
    const expiredLeases = watchExpiredLeases(database)
    const found = {
      lost: [] as string[],
      duplicated: [] as string[],
      stuck: [] as string[],
      violations: [] as string[],
    }
    const responses = new Map<number, number>()
    const workerKills: KillTime[] = []
    const startedAt = new Map<Program, number>()
    let checksum = await readLogChecksum(database)
    let longestSettlingMs = 0
    let apiDownUntil = 0
    let killing: Program | null = null
    const observer = createVisitor(url)
    await observer.signIn('monitoring@kustos.test', 'kustos-sandbox')

    async function measureRecovery(from: number): Promise<number> {
      for (let successes = 0, first = 0; ; await sleep(20)) {
        const at = Date.now()
        const status = await observer.call('GET', '/api/users/current', undefined, 5_000).then(
          async (response) => {
            await response.arrayBuffer()
            return response.status
          },
          () => 0,
        )
        if (status === 200) {
          if (successes === 0) first = at
          successes += 1
          if (successes === 3) return first - from
        } else successes = 0
        if (Date.now() - from > settleTimeoutMs) return Date.now() - from
      }
    }

    function chooseProgram(): Program {
      const ready = system.programs.filter(
        (program) => Date.now() - (startedAt.get(program) ?? 0) > minUptimeMs,
      )
      return random.pick(ready.length > 0 && random.int(0, 9) > 0 ? ready : system.restartedAtOnce)
    }

    for (let killCount = 0, round = 1; killCount < kills; round++) {
      const load = await startLoad({
        url,
        ledger,
        random,
        prefix: `${options.seed}-${round}`,
        mayLoseConnection: (started) => (killing !== null && isServer(killing)) || started < apiDownUntil,
      })
      let last = Date.now()
      const freezes: Promise<void>[] = []
      for (let inGroup = 0; inGroup < killsPerCheck && killCount < kills; inGroup++, killCount++) {
        await sleep(random.int(100, 1_500))
        const program = chooseProgram()
        const isWorker = program.includes('worker')
        const signal = random.pick(
          isWorker
            ? (['SIGKILL', 'SIGTERM', 'SIGSTOP'] as const)
            : (['SIGKILL', 'SIGKILL', 'SIGKILL', 'SIGTERM'] as const),
        )
        last = Date.now()
        if (signal === 'SIGSTOP') {
          const durationMs = random.int(500, maxFreezeMs)
          workerKills.push({ from: last, to: last + durationMs })
          // Others are killed meanwhile, or this one.
          freezes.push(system.freeze(program, durationMs))
          times.record(`${program} ${signal}`, await measureRecovery(last))
          continue
        }
        killing = program
        const others = await system.pids()
        await system.kill(program, signal)
        if (isWorker && signal === 'SIGKILL') workerKills.push({ from: last, to: Date.now() })
        times.record(`${program} ${signal}`, await measureRecovery(last))
        if (isServer(program)) apiDownUntil = Date.now()
        if (isStore(program)) {
          const now = await system.pids()
          for (const [other, pid] of others)
            if (now.get(other) !== pid && Date.now() - (startedAt.get(other) ?? 0) > minUptimeMs)
              found.violations.push(`${other} ended when ${program} was killed`)
        }
        killing = null
        startedAt.set(program, Date.now())
      }
      await Promise.all(freezes)
      if (freezes.length > 0) last = Date.now()
      await load.stop()
      for (const [status, count] of load.responses)
        responses.set(status, (responses.get(status) ?? 0) + count)
      found.violations.push(...load.errors.map(({ call, what }) => `${call}: ${what}`))
      const stuck = await waitUntilSettled(system, last)
      longestSettlingMs = Math.max(longestSettlingMs, Date.now() - last)
      found.stuck.push(...stuck)
      found.violations.push(...(await findViolations(database, scope)))
      const differences = await compareWithLedger(database, ledger, scope.log)
      found.lost.push(...differences.lost)
      found.duplicated.push(...differences.duplicated, ...(await system.journal.findDuplicates()))
      const current = await readLogChecksum(database, checksum.ids)
      if (current.sum !== checksum.sum) found.lost.push('earlier log entries have changed')
      checksum = await readLogChecksum(database)
      for (const visitor of load.visitors) {
        const response = await visitor.call('GET', '/api/users/current')
        if (response.status !== 200) found.lost.push(`a session: ${response.status}`)
      }
      print(
        `${name}: ${killCount} kills, ${ledger.rows().length} rows, ${ledger.requests.length} requests, settled ${formatSeconds(Date.now() - last)} after the last kill; lost ${found.lost.length}, duplicated ${found.duplicated.length}, stuck ${found.stuck.length}, violations ${found.violations.length}${[found.stuck, found.violations].flatMap((each) => each.slice(-1).map((one) => `, such as ${one.slice(0, 500)}`)).join('')}`,
      )
    }
    await expiredLeases.stop()
    const resent = await countResentMessages(system, workerKills)
    if (resent.unexplained > 0)
      found.duplicated.push(
        `${resent.unexplained} messages were sent again although no worker was killed at that time`,
      )
    const writes = ledger.rows().flatMap((row) => row.writes)
    const count = (outcome: string) => writes.filter((write) => write.outcome === outcome).length
    return {
      lost: [...new Set(found.lost)],
      duplicated: [...new Set(found.duplicated)],
      stuck: [...new Set(found.stuck)],
      violations: [...new Set(found.violations)],
      report: [
        ...times.lines(),
        `responses by status: ${[...responses]
          .toSorted(([a], [b]) => a - b)
          .map(([status, number]) => `${status || 'none'} ${number}`)
          .join(', ')}`,
        `writes: ${count('acknowledged')} acknowledged, ${count('unknown')} without a response, ${count('refused')} refused`,
        `work: ${ledger.requests.filter(({ table }) => table === 'deployments').length} deployments, ${ledger.requests.filter(({ table }) => table === 'inspections').length} inspections, ${await system.journal.countSucceeded()} commands, ${await system.journal.countRepeated()} of them started more than once`,
        `longest time until settled: ${formatSeconds(longestSettlingMs)}; longest time with an expired lease: ${formatSeconds(expiredLeases.longest.milliseconds)} ${expiredLeases.longest.what}`,
        `messages sent again: ${resent.count}`,
      ],
    }
  }
}
