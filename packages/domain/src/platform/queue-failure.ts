import { isRedisUnavailable } from '@kustos/clients/queue'
import { message } from '@kustos/contract/messages'
import { DomainError } from './errors.ts'

/** @throws DomainError unavailable for a failure of the job queue while Redis is down; other errors as they are */
export function throwQueueFailure(error: unknown): never {
  throw isRedisUnavailable(error)
    ? new DomainError('unavailable', message('queue_unavailable'), { retryAfterSeconds: 1 })
    : error
}
