import { setTimeout as sleep } from 'node:timers/promises'
import { startHttpReceiver } from '@kustos/clients/testing/channels'
import { withMonitoredFleet } from '../behaviours/monitored-fleet.ts'

/** Measures how long after the confirmation of a failure its alert has been sent, while webs go down one after the other. */
const count = Number(process.env.KUSTOS_BENCH_WEBS ?? 10_000)
const outages = Number(process.env.KUSTOS_BENCH_OUTAGES ?? 60)
const interval = 60
const pauseMs = 6_000
/** From a failed probe to the one that confirms it. */
const confirmMs = 10_000

const slack = await startHttpReceiver({ status: 200, body: 'ok' })
await withMonitoredFleet(
  {
    count,
    only: 'outage',
    interval,
    workers: 1,
    slack: slack.origin,
  },
  async ({ fleet, setMinute, read }) => {
    // A whole round, so that all have been seen once.
    await sleep(2 * interval * 1_000)
    const hosts = [...fleet.keys()]
    for (let outage = 0; outage < outages; outage++) {
      setMinute({ phase: 1, isOdd: false }, hosts[Math.floor((outage * count) / outages)])
      await sleep(pauseMs)
    }
    await sleep(2 * interval * 1_000)
    const { rows } = await read(({ pool }) =>
      pool.query<{ announced: number; sent: number }>(
        `select extract(epoch from i.alerted_at - i.started_at)::float * 1000 - $1 as announced,
           extract(epoch from a.sent_at - i.started_at)::float * 1000 - $1 as sent
         from incidents i join alerts a on i.id = any(a.incidents)`,
        [confirmMs],
      ),
    )
    console.log(`${count} webs, ${outages} outages ${pauseMs / 1_000} s apart: ${rows.length} alerts`)
    describe(
      'confirmed to announced',
      rows.map(({ announced }) => announced),
    )
    describe(
      'confirmed to sent',
      rows.map(({ sent }) => sent),
    )
  },
)
await slack.stop()

function describe(what: string, times: readonly number[]): void {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) =>
    ((sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN) / 1_000).toFixed(1)
  console.log(`${what}: median ${at(0.5)} s, 95th percentile ${at(0.95)} s, slowest ${at(1)} s`)
}
