import { refreshRepositories } from '@kustos/domain/bitbucket'
import { DomainError } from '@kustos/domain/errors'
import type { Outside } from '@kustos/domain/outside'
import type { Duty } from '../worker.ts'

/** Where Bitbucket is not configured there is nothing to do. */
export const bitbucketDuties = ({ bitbucket }: Pick<Outside, 'bitbucket'>): readonly Duty[] =>
  bitbucket === null
    ? []
    : [
        {
          name: 'refresh the list of repositories',
          every: 5 * 60_000,
          async run(context, signal) {
            try {
              return { ...(await refreshRepositories(context, bitbucket, signal)) }
            } catch (error) {
              // Bitbucket's being away is kept with the list. To ask again within seconds would cost its rate limit.
              if (error instanceof DomainError && error.code === 'upstream') return { failed: error.message }
              throw error
            }
          },
        },
      ]
