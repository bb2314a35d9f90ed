import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Minute, SiteBehaviour } from '@kustos/clients/testing/behaviours'
import { startHttpReceiver } from '@kustos/clients/testing/channels'
import type { OpenDatabase } from '@kustos/database/client'
import { expectedOutcome, readOutcomes } from '@kustos/domain/testing/site-outcomes'
import { type MonitoredFleet, withMonitoredFleet } from './monitored-fleet.ts'

/**
 * Lets workers monitor a fleet whose sites behave in every way of the table, while workers and Postgres are killed, and counts the
 * webs whose state, incidents or messages are not as the table says. A round stands for a minute.
 */
const count = Number(process.env.KUSTOS_BENCH_WEBS ?? 5_000)
const rounds = Number(process.env.KUSTOS_BENCH_ROUNDS ?? 60)
const interval = Number(process.env.KUSTOS_BENCH_INTERVAL ?? 20)
const kills = process.env.KUSTOS_BENCH_KILLS !== '0'

const workers = 2
/** Rounds from one end of Postgres to the next. */
const roundsOfPostgres = 10

/** Where phases 1 and 2 begin. */
const change = rounds / 4
const end = rounds * 0.6
/** Rounds of a flapping site until it changes: a minute, since a failure is confirmed after ten seconds. It fails in the last one. */
const roundsOfFlap = Math.ceil(60 / interval)

const minuteOf = (round: number): Minute => ({
  phase: round < change ? 0 : round < end ? 1 : 2,
  isOdd: Math.floor((rounds - 1 - round) / roundsOfFlap) % 2 === 1,
})

const slack = await startHttpReceiver({ status: 200, body: 'ok' })
const options = { count, interval, workers, slack: slack.origin }
await withMonitoredFleet(options, async (monitored) => {
  const behaviours = new Set(monitored.fleet.values()).size
  console.log(`${count} webs of ${behaviours} behaviours, ${rounds} rounds of ${interval} s`)
  for (let round = 0; round < rounds; round++) {
    const minute = minuteOf(round)
    monitored.setMinute(minute)
    await sleep((interval * 1_000) / 2)
    if (round > 0 && minute.phase !== minuteOf(round - 1).phase) await monitored.refresh()
    if (kills) monitored.killWorker(round % workers)
    if (kills && (round + 1) % roundsOfPostgres === 0) await monitored.killPostgres()
    await sleep((interval * 1_000) / 2)
  }
  // The last rounds are evaluated a while after they have begun.
  await sleep(interval * 1_000 + 40_000)
  await monitored.read((database) => report(database, monitored))
  if (kills)
    console.log(`${rounds} workers and Postgres ${Math.floor(rounds / roundsOfPostgres)} times killed`)
})
await slack.stop()

/** Prints the webs that are not as expected, by behaviour. */
async function report({ db, pool }: OpenDatabase, { fleet, hasIpv6 }: MonitoredFleet): Promise<void> {
  const outcomes = await readOutcomes(db)
  const wrong = new Map<SiteBehaviour, string[]>()
  for (const [host, site] of fleet) {
    if (site.name === 'ipv6-only' && !hasIpv6) continue
    const found = outcomes.get(host)
    if (!isDeepStrictEqual(found, expectedOutcome(site)))
      wrong.set(site, [...(wrong.get(site) ?? []), JSON.stringify(found)])
  }
  const sum = [...wrong.values()].reduce((total, { length }) => total + length, 0)
  console.log(`${sum} of ${fleet.size} webs are not as expected`)
  for (const [site, found] of wrong)
    console.log(
      `${site.name}: ${found.length}, such as ${found[0]} instead of ${JSON.stringify(expectedOutcome(site))}`,
    )
  const { rows } = await pool.query<{ state: string | null; rounds: number; probes: number | null }>(
    'select state, count(*)::int as rounds, sum(probes)::int as probes from probe_rounds group by state',
  )
  for (const row of rows)
    console.log(`rounds ${row.state ?? 'not evaluated'}: ${row.rounds}, ${row.probes ?? 0} probes`)
}
