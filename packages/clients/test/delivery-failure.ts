import { expect } from 'vitest'
import { DeliveryError } from '../src/delivery/delivery.ts'

/** The error that sending fails with. Neither its message nor its cause contains a secret. */
export async function catchDeliveryError(
  sending: Promise<void>,
  secrets: readonly string[],
): Promise<DeliveryError> {
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
