import { expect } from 'vitest'
import { DeliveryError } from '../src/delivery/index.ts'

/** The error that a message fails with: a sentence, which holds no secret, nor does anything with it. */
export async function failureOf(sending: Promise<void>, secrets: readonly string[]): Promise<DeliveryError> {
  const error = await sending.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof DeliveryError)) throw new Error(`It did not fail as it should: ${error}`)
  expect(error.message).toMatch(/^[A-Z].{10}/)
  for (const secret of secrets)
    expect(`${error.stack} ${JSON.stringify(error)} ${error.cause}`).not.toContain(secret)
  return error
}
