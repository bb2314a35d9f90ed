import { BitbucketError } from '@kustos/clients/bitbucket'
import { RunnerError } from '@kustos/clients/runner'
import { DomainError } from '../errors.ts'

/** A step could not be done. The message is a sentence for staff. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure'
}

/** Another execution holds the deployment meanwhile: this one keeps its hands off. */
export class Lost extends Error {
  override readonly name = 'Lost'
}

/** The sentence of what went wrong, or null where nobody expected it. */
export function sentenceOf(error: unknown): string | null {
  const isKnown =
    error instanceof StepFailure ||
    error instanceof RunnerError ||
    error instanceof BitbucketError ||
    error instanceof DomainError
  return isKnown ? error.message : null
}
