import { BitbucketError } from '@kustos/clients/bitbucket'
import { RunnerError } from '@kustos/clients/runner'
import type { KnownMessage, Message } from '@kustos/contract/messages'
import { englishText } from '@kustos/contract/messages/english'
import { DomainError } from '../platform/errors.ts'

/** A step has failed. The message is shown to users. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure'
  readonly codedMessage: Message

  constructor(codedMessage: Message, options?: ErrorOptions) {
    super(englishText(codedMessage), options)
    this.codedMessage = codedMessage
  }
}

/** @returns the message of an expected error; null for others */
export function knownFailureMessage(error: unknown): Message | null {
  if (error instanceof StepFailure || error instanceof DomainError) return error.codedMessage
  const isKnown = error instanceof RunnerError || error instanceof BitbucketError
  return isKnown ? (error.codedMessage satisfies KnownMessage) : null
}
