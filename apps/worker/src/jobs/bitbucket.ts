import { refreshRepositories } from '@kustos/domain/bitbucket'
import { DomainError } from '@kustos/domain/platform/errors'
import type { ExternalServices } from '@kustos/domain/services'
import type { PeriodicTask } from '../periodic-tasks.ts'

export const bitbucketTasks = ({
  bitbucket,
}: Pick<ExternalServices, 'bitbucket'>): readonly PeriodicTask[] =>
  bitbucket === null
    ? []
    : [
        {
          name: 'refresh-repositories',
          everyMs: 5 * 60_000,
          async run(context, signal) {
            try {
              return { ...(await refreshRepositories(context, bitbucket, signal)) }
            } catch (error) {
              // The failure is stored with the list. A retry within seconds would use up Bitbucket's rate limit.
              if (error instanceof DomainError && error.kind === 'upstream') return { failed: error.message }
              throw error
            }
          },
        },
      ]
