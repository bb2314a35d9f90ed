import { gridStateToQuery, initialGridState } from '@kustos/contract/grid'
import { type JobState, type QueueJob, queueRoutes } from '@kustos/contract/queue'
import { useTranslation } from 'react-i18next'
import { QueryState } from '../../ui/QueryState.tsx'
import { useRoute } from '../query.ts'
import { FigureList } from './FigureList.tsx'

const states = {
  running: ['active'],
  waiting: ['waiting', 'delayed'],
} as const satisfies Readonly<Record<string, readonly JobState[]>>
const names = ['running', 'waiting'] as const

/** At module scope, so that the answer is counted once and not with every render. */
const counted = (jobs: readonly QueueJob[]) => {
  const countOf = (wanted: readonly JobState[]) =>
    jobs.filter(({ queue, state }) => queue === 'deployment' && wanted.includes(state)).length
  return { running: countOf(states.running), waiting: countOf(states.waiting) }
}

/** The queue with what was counted alone. */
function listOf(wanted: readonly JobState[]): string {
  const anyOf = (column: string, values: readonly string[]) =>
    ({ column, join: 'all', conditions: [{ operator: 'any-of', values }] }) as const
  const filters = [anyOf('queue', ['deployment']), anyOf('state', wanted)]
  const pairs = gridStateToQuery({ ...initialGridState, filters })
  return `/queue?${new URLSearchParams(pairs.map(([name, value]) => [name, value]))}`
}
const links = { running: listOf(states.running), waiting: listOf(states.waiting) }

/** The deployments that run and wait. Whoever sees the card may see the queue. */
export function QueueFigures() {
  const { t } = useTranslation()
  const query = useRoute(queueRoutes.listJobs, {}, { select: counted })
  const shown = (figures?: ReturnType<typeof counted>) =>
    names.map((name) => ({
      key: name,
      label: t(`dashboard.queueFigures.${name}`),
      count: figures?.[name],
      to: links[name],
    }))
  return (
    <QueryState query={query} skeleton={<FigureList figures={shown()} />}>
      {(figures) => <FigureList figures={shown(figures)} />}
    </QueryState>
  )
}
