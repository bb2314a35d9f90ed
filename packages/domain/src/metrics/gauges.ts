import { channelKinds } from '@kustos/contract/alert-channels'
import { deploymentStates } from '@kustos/contract/deployment'
import { inspectionKinds } from '@kustos/contract/inspections'
import { Gauge, type Registry } from 'prom-client'
import type { DatabaseFigures, Figures } from './figures.ts'

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number]

/**
 * Exposes the figures of the database and the job queue. Those of a source that does not answer are left out, which
 * `kustos_source_up` shows.
 * @param now seconds since 1970
 */
export function watchFigures(registry: Registry, read: () => Promise<Figures>, now: () => number): void {
  const gauge = (
    name: string,
    help: string,
    labelNames: readonly string[],
    samples: (figures: Figures) => readonly Sample[],
  ) =>
    new Gauge({
      name: `kustos_${name}`,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const found = samples(await read())
        this.reset()
        // Without labels the gauge starts with the value 0.
        if (labelNames.length === 0) this.remove()
        for (const [labels, value] of found) this.set(labels, value)
      },
    })
  const one = (name: string, help: string, value: (facts: DatabaseFigures) => number | null) =>
    gauge(name, help, [], ({ facts }) => {
      const found = facts === null ? null : value(facts)
      return found === null ? [] : [[{}, found]]
    })
  const many = (
    name: string,
    help: string,
    labels: readonly string[],
    samples: (facts: DatabaseFigures) => Sample[],
  ) => gauge(name, help, labels, ({ facts }) => (facts === null ? [] : samples(facts)))

  const ageOf = (at: number | null) => (at === null ? 0 : now() - at)

  gauge('source_up', 'Whether what these metrics are read from answered', ['source'], ({ facts, jobs }) => [
    [{ source: 'database' }, Number(facts !== null)],
    [{ source: 'queue' }, Number(jobs !== null)],
  ])
  gauge('queue_jobs', 'Jobs that are not done, by queue and state', ['queue', 'state'], ({ jobs }) =>
    (jobs ?? []).map(({ queue, state, count }) => [{ queue, state }, count]),
  )
  many('deployments', 'Deployments by state', ['state'], ({ deployments }) =>
    deploymentStates.map((state) => [{ state }, deployments[state] ?? 0]),
  )
  one(
    'deployments_oldest_waiting_age_seconds',
    'How long ago the oldest waiting deployment was requested; 0 where none waits',
    (facts) => ageOf(facts.oldest_waiting_deployment_at),
  )
  many('inspections', 'Inspections that wait or run', ['kind', 'state'], ({ inspections }) =>
    inspectionKinds.flatMap((kind) =>
      ['waiting', 'running'].map((state): Sample => {
        const found = inspections.find((each) => each.kind === kind && each.state === state)
        return [{ kind, state }, found?.count ?? 0]
      }),
    ),
  )
  many(
    'inspections_oldest_waiting_age_seconds',
    'How long ago the oldest waiting inspection was requested, by kind; 0 where none waits',
    ['kind'],
    ({ inspections }) =>
      inspectionKinds.map((kind) => {
        const waiting = inspections.find((each) => each.kind === kind && each.state === 'waiting')
        return [{ kind }, ageOf(waiting?.oldest_at ?? null)]
      }),
  )
  many('alerts_waiting', 'Alerts that are not sent yet, by channel', ['channel'], ({ alerts }) =>
    channelKinds.map((channel) => [{ channel }, alerts[channel] ?? 0]),
  )
  one('alert_channels_refusing', 'Channels that refuse alerts for good', (facts) => facts.refusing_channels)
  one('alerts_oldest_age_seconds', 'For how long the oldest unsent alert waits; 0 where none does', (facts) =>
    ageOf(facts.oldest_alert_at),
  )
  one('incidents_open', 'Open incidents', (facts) => facts.open_incidents)
  one('webs_monitored', 'Monitored webs', (facts) => facts.monitored)
  one('webs_down', 'Those of them that are down', (facts) => facts.down)
  one(
    'log_unsealed_age_seconds',
    'For how long the oldest entry of the audit log waits for its seal; 0 where none does',
    (facts) => ageOf(facts.oldest_unsealed_at),
  )
  watchRounds(one, now)
}

type One = (name: string, help: string, value: (facts: DatabaseFigures) => number | null) => unknown

function watchRounds(one: One, now: () => number): void {
  const ofRound = (
    name: string,
    help: string,
    value: (round: NonNullable<DatabaseFigures['round']>) => number,
  ) =>
    one(`probe_round_${name}`, `${help}, of the last round that was judged`, ({ round }) =>
      round === null ? null : value(round),
    )
  ofRound('finished_timestamp_seconds', 'When it was over', (round) => round.judged_at)
  ofRound('age_seconds', 'How long ago it was over', (round) => now() - round.judged_at)
  ofRound(
    'duration_seconds',
    'From its beginning to its judgement',
    (round) => round.judged_at - round.began_at,
  )
  ofRound('interval_seconds', 'Seconds until the next one', (round) => round.interval_seconds)
  ofRound('webs', 'Webs that were probed', (round) => round.probes)
  ofRound('failures', 'Webs whose probe failed', (round) => round.failures)
  ofRound('known', '0 where every probe failed and Kustos suspects its own network', (round) =>
    Number(round.known),
  )
}
