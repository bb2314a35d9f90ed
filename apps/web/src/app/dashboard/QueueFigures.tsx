import { type JobState, type QueueJob, queueRoutes } from '@kustos/contract/queue'
import { useTranslation } from 'react-i18next'
import { useRoute } from '../../platform/query.ts'
import { QueryFigures } from './FigureList.tsx'
import { queuePath } from './queue-path.ts'

const states = {
  running: ['running'],
  waiting: ['waiting'],
} as const satisfies Readonly<Record<string, readonly JobState[]>>

// At module scope, so that react-query does not count again on every render.
const countJobs = (jobs: readonly QueueJob[]) => {
  const countOf = (wanted: readonly JobState[]) =>
    jobs.filter((job) => job.deployment_id !== null && wanted.includes(job.state)).length
  return { running: countOf(states.running), waiting: countOf(states.waiting) }
}

const links = { running: queuePath(states.running), waiting: queuePath(states.waiting) }

export function QueueFigures() {
  const { t } = useTranslation()
  const query = useRoute(queueRoutes.listJobs, {}, { select: countJobs })
  const labels = t('dashboard.queueFigures', { returnObjects: true })
  return <QueryFigures query={query} labels={labels} links={links} />
}
