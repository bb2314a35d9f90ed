import { BitbucketError } from '@kustos/clients/bitbucket'
import { RunnerError } from '@kustos/clients/runner'
import { type Message, message } from '@kustos/contract/messages'
import { englishText } from '@kustos/contract/messages/english'
import { DomainError } from '../platform/errors.ts'

/** A step has failed. The message is shown to users. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure'
  readonly said: Message

  constructor(said: Message, options?: ErrorOptions) {
    super(englishText(said), options)
    this.said = said
  }
}

/** @returns the message of an expected error; null for others */
export function knownFailureMessage(error: unknown): Message | null {
  if (error instanceof StepFailure || error instanceof DomainError) return error.said
  const isKnown = error instanceof RunnerError || error instanceof BitbucketError
  return isKnown ? message('service_failed', { reason: error.message }) : null
}
