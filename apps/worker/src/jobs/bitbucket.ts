import { endRefreshFailure, refreshRepositories } from '@kustos/domain/bitbucket'
import type { ExternalServices } from '@kustos/domain/services'
import { type PeriodicTask, withStoredFailures } from '../periodic-tasks.ts'

export const bitbucketTasks = ({
  bitbucket,
}: Pick<ExternalServices, 'bitbucket'>): readonly PeriodicTask[] => [
  {
    name: 'refresh-repositories',
    everyMs: 5 * 60_000,
    run: (context, signal) =>
      bitbucket === null
        ? endRefreshFailure(context)
        : withStoredFailures(refreshRepositories(context, bitbucket, signal)),
  },
]
