import type { BuildCalls } from './call.ts'
import { checksCalls } from './checks.ts'
import { handlingCalls } from './handling.ts'
import { inventoryCalls } from './inventory.ts'
import { onCallCalls } from './on-call.ts'
import { operationsCalls } from './operations.ts'
import { peopleCalls } from './people.ts'
import { trackingContractsCalls } from './tracking-contracts.ts'

/** A successful call of each route that changes something, with its expected log entry. */
export const buildLoggedCalls: BuildCalls = (fixtures) => ({
  ...checksCalls(fixtures),
  ...handlingCalls(fixtures),
  ...peopleCalls(fixtures),
  ...operationsCalls(fixtures),
  ...onCallCalls(fixtures),
  ...inventoryCalls(fixtures),
  ...trackingContractsCalls(fixtures),
})
