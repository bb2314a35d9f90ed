import { setTimeout as sleep } from 'node:timers/promises'
import { asciiFqdn } from '@kustos/contract/webs'
import { type Behaviour, hostsThat } from '../../src/seed/behaviours.ts'
import { visitor } from '../system.ts'
import { openTimes, seconds, watchForsaken } from './figures.ts'
import { broken, openSpan } from './invariants.ts'
import { compare, markLog } from './kept.ts'
import { openLedger } from './ledger.ts'
import { startLoad } from './load.ts'
import { seeded } from './random.ts'
import { type Killing, messagesSentAgain, patience, settle } from './settling.ts'
import { type Program, startSystem } from './system-under-faults.ts'

/** After so many kills everything is looked at. */
const group = 10
/** A program that the sandbox starts again at once has lived this long; it waits longer and longer otherwise. */
const settled = 10_000

/** What is down of itself now and then, or comes under watch as such. */
const unsteady = [
  'flapping',
  'failing',
  'silent',
  'refusing',
  'expired',
  'misnamed',
  'redirecting',
  'endless',
  'slow',
] as const

export interface Killed {
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
  /** What was not over a minute after the last kill while no worker was at it, or after three. */
  readonly stuck: readonly string[]
  /** Rules that do not hold, answers that nobody may be given. */
  readonly broken: readonly string[]
  readonly report: readonly string[]
}

/** Kills programs at random moments under load, and looks every ten kills whether everything is as it was promised. */
export async function killAtRandom(options: {
  readonly backend: 'postgres' | 'redis'
  readonly kills: number
  readonly seed: number
  readonly say: (line: string) => void
}): Promise<Killed> {
  const { backend, kills, say } = options
  const random = seeded(options.seed)
  const system = await startSystem(backend)
  try {
    return await killUnderLoad()
  } finally {
    await system.stop()
  }

  async function killUnderLoad(): Promise<Killed> {
    const { database, url } = system
    const ledger = openLedger()
    const times = openTimes()
    const named = (kinds: readonly Behaviour['kind'][]) =>
      hostsThat(...kinds).map((host) => asciiFqdn(host) ?? host)
    const span = await openSpan(database, {
      moody: named(unsteady),
      dead: named(['silent', 'refusing', 'expired', 'misnamed']),
    })
    const forsaken = watchForsaken(database)
    const killed = {
      lost: [] as string[],
      doubled: [] as string[],
      stuck: [] as string[],
      broken: [] as string[],
    }
    const answers = new Map<number, number>()
    const killings: Killing[] = []
    const lived = new Map<Program, number>()
    let mark = await markLog(database)
    let longestSettling = 0
    let awayUntil = 0
    let killing: Program | null = null
    const guest = visitor(url)
    await guest.signIn('monitoring@kustos.test', 'kustos-sandbox')

    async function served(from: number): Promise<number> {
      for (let good = 0, first = 0; ; await sleep(20)) {
        const at = Date.now()
        const status = await guest.call('GET', '/api/users/current', undefined, 5_000).then(
          async (answer) => {
            await answer.arrayBuffer()
            return answer.status
          },
          () => 0,
        )
        if (status === 200) {
          if (good === 0) first = at
          good += 1
          if (good === 3) return first - from
        } else good = 0
        if (Date.now() - from > patience) return Date.now() - from
      }
    }

    function choose(): Program {
      const ready = system.programs.filter((program) => Date.now() - (lived.get(program) ?? 0) > settled)
      const own = ['second worker', 'redis'] as const
      return random.pick(
        ready.length > 0 && random.int(0, 9) > 0
          ? ready
          : [...own].filter((one) => system.programs.includes(one)),
      )
    }

    for (let done = 0, round = 1; done < kills; round++) {
      const load = await startLoad({
        url,
        ledger,
        random,
        prefix: `${options.seed}-${round}`,
        mayBreakOff: (started) => killing === 'api' || started < awayUntil,
      })
      let last = Date.now()
      for (let inGroup = 0; inGroup < group && done < kills; inGroup++, done++) {
        await sleep(random.int(100, 1_500))
        const program = choose()
        const signal = random.pick(['SIGKILL', 'SIGKILL', 'SIGKILL', 'SIGTERM'] as const)
        killing = program
        last = Date.now()
        const others = await system.pids()
        await system.kill(program, signal)
        if (program.endsWith('worker') && signal === 'SIGKILL') killings.push({ from: last, to: Date.now() })
        times.note(`${program} ${signal}`, await served(last))
        if (program === 'api') awayUntil = Date.now()
        if (program === 'postgres' || program === 'redis') {
          const now = await system.pids()
          for (const [other, pid] of others)
            if (now.get(other) !== pid && Date.now() - (lived.get(other) ?? 0) > settled)
              killed.broken.push(`${other} ended when ${program} was killed`)
        }
        killing = null
        lived.set(program, Date.now())
      }
      await load.stop()
      for (const [status, count] of load.answers) answers.set(status, (answers.get(status) ?? 0) + count)
      killed.broken.push(...load.wrong.map(({ call, what }) => `${call}: ${what}`))
      const left = await settle(system, last)
      longestSettling = Math.max(longestSettling, Date.now() - last)
      killed.stuck.push(...left)
      killed.broken.push(...(await broken(database, span)))
      const compared = await compare(database, ledger, span.log)
      killed.lost.push(...compared.lost)
      killed.doubled.push(...compared.doubled, ...(await system.journal.doubled()))
      const again = await markLog(database, mark.last)
      if (again.sum !== mark.sum || again.count !== mark.count) killed.lost.push('the log is not what it was')
      mark = await markLog(database)
      for (const person of load.people) {
        const answer = await person.call('GET', '/api/users/current')
        if (answer.status !== 200) killed.lost.push(`a session: ${answer.status}`)
      }
      say(
        `${backend}: ${done} kills, ${ledger.rows().length} rows, ${ledger.asked.length} asked, all over ${seconds(Date.now() - last)} after the last; lost ${killed.lost.length}, doubled ${killed.doubled.length}, stuck ${killed.stuck.length}, broken ${killed.broken.length}${killed.broken.length > 0 ? `, such as ${killed.broken.at(-1)}` : ''}`,
      )
    }
    await forsaken.stop()
    const resent = await messagesSentAgain(system, killings)
    if (resent.unexplained > 0)
      killed.doubled.push(
        `${resent.unexplained} messages were sent again without a worker that was killed then`,
      )
    const writes = ledger.rows().flatMap((row) => row.writes)
    const count = (outcome: string) => writes.filter((write) => write.outcome === outcome).length
    return {
      lost: [...new Set(killed.lost)],
      doubled: [...new Set(killed.doubled)],
      stuck: [...new Set(killed.stuck)],
      broken: [...new Set(killed.broken)],
      report: [
        ...times.lines(),
        `answers by status: ${[...answers]
          .toSorted(([a], [b]) => a - b)
          .map(([status, number]) => `${status || 'none'} ${number}`)
          .join(', ')}`,
        `writes: ${count('acknowledged')} acknowledged, ${count('unknown')} without an answer, ${count('refused')} refused`,
        `work: ${ledger.asked.filter(({ table }) => table === 'deployments').length} deployments, ${ledger.asked.filter(({ table }) => table === 'inspections').length} inspections, ${await system.journal.ended()} commands`,
        `longest until all was over: ${seconds(longestSettling)}; longest without a worker beyond the 8 s: ${seconds(forsaken.longest.milliseconds)} ${forsaken.longest.what}`,
        `messages sent again: ${resent.again}`,
      ],
    }
  }
}
